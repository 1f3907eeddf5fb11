package wire

// Bytes reads a string that holds base64 (RFC 4648 section 4): padded, without line breaks, with no bits left over. The
// result has memory of its own.
func (d *Decoder) Bytes() []byte { return d.BytesMax(maxInt) }

// BytesMax is Bytes with a limit to their number.
func (d *Decoder) BytesMax(limit int) []byte {
	d.val = d.pos
	text, _ := d.text()
	if d.err != nil {
		return nil
	}
	if len(text)/4 > limit/3+1 {
		d.Invalid("more than " + digits(limit) + " bytes")
		return nil
	}
	out, ok := decodeBase64(text, d)
	if !ok {
		d.Invalid("invalid base64")
		return nil
	}
	if len(out) > limit {
		d.Invalid("more than " + digits(limit) + " bytes")
		return nil
	}
	return out
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// base64Values has the value of each digit, 0x80 for bytes that are none.
var base64Values = base64Table()

func base64Table() (t [256]byte) {
	for i := range t {
		t[i] = 0x80
	}
	for i := 0; i < len(base64Digits); i++ {
		t[base64Digits[i]] = byte(i)
	}
	return t
}

func decodeBase64(text []byte, d *Decoder) ([]byte, bool) {
	if len(text)%4 != 0 {
		return nil, false
	}
	if len(text) == 0 {
		return []byte{}, true
	}
	pad := 0
	if text[len(text)-1] == '=' {
		pad = 1
		if text[len(text)-2] == '=' {
			pad = 2
		}
	}
	whole := len(text)
	if pad > 0 {
		whole -= 4
	}
	out := make([]byte, 0, len(text)/4*3)
	for len(text) > 4 || pad == 0 && len(text) > 0 {
		n := min(whole, tickBytes)
		var bad byte
		for part := text[:n]; len(part) >= 4; part = part[4:] {
			a, b, c, e := base64Values[part[0]], base64Values[part[1]], base64Values[part[2]], base64Values[part[3]]
			bad |= a | b | c | e
			out = append(out, a<<2|b>>4, b<<4|c>>2, c<<6|e)
		}
		if bad&0x80 != 0 {
			return nil, false
		}
		text = text[n:]
		whole -= n
		if len(text) > 4 && d.Tick != nil {
			d.Tick()
		}
	}
	if pad == 0 {
		return out, true
	}
	a, b := base64Values[text[0]], base64Values[text[1]]
	if (a|b)&0x80 != 0 {
		return nil, false
	}
	if pad == 2 {
		return append(out, a<<2|b>>4), b&0x0F == 0
	}
	c := base64Values[text[2]]
	return append(out, a<<2|b>>4, b<<4|c>>2), c&0x83 == 0
}

// AppendBytes writes b as a string of base64.
func AppendBytes(dst, b []byte) []byte {
	dst = append(dst, '"')
	for ; len(b) >= 3; b = b[3:] {
		dst = append(dst, base64Digits[b[0]>>2], base64Digits[b[0]&3<<4|b[1]>>4],
			base64Digits[b[1]&15<<2|b[2]>>6], base64Digits[b[2]&63])
	}
	switch len(b) {
	case 1:
		dst = append(dst, base64Digits[b[0]>>2], base64Digits[b[0]&3<<4], '=', '=')
	case 2:
		dst = append(dst, base64Digits[b[0]>>2], base64Digits[b[0]&3<<4|b[1]>>4], base64Digits[b[1]&15<<2], '=')
	}
	return append(dst, '"')
}
