module github.com/ctxplan/ctxplan

go 1.26

require (
	github.com/blevesearch/snowballstem v0.9.0
	github.com/extism/go-pdk v1.1.3
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/tetratelabs/wazero v1.12.0
)

require (
	golang.org/x/sys v0.44.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)
