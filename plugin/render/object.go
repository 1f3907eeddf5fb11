package render

import (
	"strings"

	"github.com/ctxplan/ctxplan/abi/wire"
)

// objectDepth bounds the nesting of JSON that is sent as JSON, so that a response that holds the request is nested at most
// wire.MaxDepth deep, and readers need no more than that.
const objectDepth = wire.MaxDepth - 16

// isObject reports whether a text is a JSON object that can be sent as one.
func isObject(s string) bool {
	begin := strings.TrimLeft(s, " \t\r\n")
	return begin != "" && begin[0] == '{' && wire.ValidString(s, objectDepth)
}

// appendArguments writes the arguments of a call for providers that take an object. Text that is no object, as models
// write it when they break off, is the one member of an object; no text is no arguments.
func appendArguments(dst []byte, arguments string) []byte {
	switch {
	case blank(arguments):
		return append(dst, "{}"...)
	case isObject(arguments):
		return appendCompact(dst, arguments)
	}
	dst = append(dst, `{"arguments":`...)
	dst = wire.AppendString(dst, arguments)
	return append(dst, '}')
}

// appendCompact writes valid JSON canonically: without insignificant space, and with as few escapes as there can be. Lone
// surrogates become U+FFFD: a provider would refuse the whole request because of one.
func appendCompact(dst []byte, json string) []byte {
	for i := 0; i < len(json); {
		switch c := json[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
		case '"':
			end, escaped := stringEnd(json, i)
			if escaped {
				dst = wire.AppendString(dst, unquote(json[i:end]))
			} else {
				dst = append(dst, json[i:end]...)
			}
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// stringEnd is the offset behind the string that begins at i, and whether it has escapes.
func stringEnd(json string, i int) (end int, escaped bool) {
	for i++; json[i] != '"'; i++ {
		if json[i] == '\\' {
			escaped = true
			i++
		}
	}
	return i + 1, escaped
}

func unquote(quoted string) string {
	var s string
	var d wire.Decoder
	// The string is part of valid JSON.
	_ = d.DecodeFunc([]byte(quoted), func(d *wire.Decoder) { s = d.String() })
	return s
}
