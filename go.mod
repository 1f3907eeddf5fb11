module github.com/ctxplan/ctxplan

go 1.26

require (
	github.com/blevesearch/snowballstem v0.9.0 // indirect
	github.com/tetratelabs/wazero v1.12.0
	golang.org/x/sys v0.44.0 // indirect
)
