package wire

import "math/bits"

// CheckDepth returns an *Error when doc is nested more than limit deep. It does not recurse, and checks nothing else:
// brackets in strings do not count, and text that is not JSON passes when its brackets are few. It stands before parsers
// that recurse; [Valid] says more.
func CheckDepth(doc []byte, limit int) error {
	at := deeper(doc, limit, nil)
	if at < 0 {
		return nil
	}
	w := walk{doc: doc}
	w.to(at)
	return &Error{Code: CodeInvalid, Message: "nested too deeply", Path: w.path("")}
}

// deeper returns the offset of the first bracket beyond limit, negative when there is none.
func deeper(doc []byte, limit int, tick func()) int {
	depth := 0
	quoted := false
	for i := 0; i < len(doc); {
		if i > 0 && tick != nil {
			tick()
		}
		// What an escape or a string reaches beyond the stretch is left for the next one.
		stretch := min(len(doc), i+tickBytes)
		for i < stretch {
			if quoted {
				for stretch-i >= 8 {
					x := load(doc[i:])
					q := x ^ ones*'"'
					s := x ^ ones*'\\'
					if m := ((q-ones)&^q | (s-ones)&^s) & highs; m != 0 {
						i += bits.TrailingZeros64(m) >> 3
						break
					}
					i += 8
				}
				if i >= stretch {
					break
				}
				switch doc[i] {
				case '"':
					quoted = false
				case '\\':
					i++
				}
				i++
				continue
			}
			switch doc[i] {
			case '{', '[':
				depth++
				if depth > limit {
					return i
				}
			case '}', ']':
				depth = max(depth-1, 0)
			case '"':
				quoted = true
			}
			i++
		}
	}
	return -1
}
