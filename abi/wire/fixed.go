package wire

// Fixed is a decimal number in millionths: Fixed(1_500_000) is 1.5. In JSON it is a number with at most six digits
// behind the point and no exponent, between -[MaxFixed] and MaxFixed: 15 digits in all, which a float64 keeps.
type Fixed int64

const (
	// One is the Fixed that stands for 1.
	One Fixed = 1_000_000
	// MaxFixed is the largest Fixed that is read, 1,000,000,000.
	MaxFixed = 1_000_000_000 * One
)

// Fixed reads a number as millionths.
func (d *Decoder) Fixed() Fixed { return d.FixedIn(-MaxFixed, MaxFixed) }

// FixedIn is Fixed with bounds, both included.
func (d *Decoder) FixedIn(low, high Fixed) Fixed {
	d.val = d.pos
	n, more := d.decimal(6)
	if d.err != nil {
		return 0
	}
	if more {
		d.Invalid("expected a number with at most six digits behind the point and no exponent")
		return 0
	}
	f := Fixed(n)
	if f < low || f > high {
		d.Invalid("expected a number from " + low.String() + " to " + high.String())
		return 0
	}
	return f
}

// AppendFixed writes f with as few digits as it takes.
func AppendFixed(dst []byte, f Fixed) []byte {
	n := int64(f)
	u := uint64(n)
	if n < 0 {
		dst = append(dst, '-')
		u = -u
	}
	dst = appendUint(dst, u/1_000_000)
	part := u % 1_000_000
	if part == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := uint64(100_000); part > 0; unit /= 10 {
		dst = append(dst, byte('0'+part/unit))
		part %= unit
	}
	return dst
}

// String returns f as it stands in JSON.
func (f Fixed) String() string { return string(AppendFixed(nil, f)) }

// MarshalJSON and UnmarshalJSON let encoding/json read and write the same text.
func (f Fixed) MarshalJSON() ([]byte, error) { return AppendFixed(nil, f), nil }

// UnmarshalJSON reads a number as Decoder.Fixed does; null leaves f as it is.
func (f *Fixed) UnmarshalJSON(b []byte) error {
	var d Decoder
	return d.DecodeFunc(b, func(d *Decoder) {
		if !d.Null() {
			*f = d.Fixed()
		}
	})
}
