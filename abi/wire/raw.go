package wire

// Raw is one JSON value as text, byte-equal to what was read. Null is the empty Raw. Whoever makes one sees to it that it
// is valid JSON.
type Raw []byte

// Raw reads any value and returns its text.
func (d *Decoder) Raw() Raw {
	if d.Null() {
		return nil
	}
	begin := d.pos
	d.Skip()
	if d.err != nil {
		return nil
	}
	b := d.doc[begin:d.pos:d.pos]
	if d.Alias {
		return Raw(b)
	}
	return append(Raw(nil), b...)
}

// AppendRaw writes r as it is.
func AppendRaw(dst []byte, r Raw) []byte {
	if len(r) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, r...)
}

// MarshalJSON lets encoding/json write r, which then removes insignificant space.
func (r Raw) MarshalJSON() ([]byte, error) { return AppendRaw(nil, r), nil }

// UnmarshalJSON lets encoding/json read r.
func (r *Raw) UnmarshalJSON(b []byte) error {
	if *r = nil; string(b) != "null" {
		*r = append(*r, b...)
	}
	return nil
}
