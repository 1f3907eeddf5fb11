package guest

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"io"
	"io/fs"
)

//go:embed module
var files embed.FS

// ErrNotEmbedded says that this program was built without the module.
var ErrNotEmbedded = errors.New("guest: this build holds no module: run make embed")

// Embedded gives the module that this program was built with.
func Embedded() ([]byte, error) {
	packed, err := files.ReadFile("module/ctxplan.wasm.gz")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotEmbedded
	}
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
