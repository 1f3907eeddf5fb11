package wire

// MaxInteger is the largest integer that is read: 2^53 - 1, so that every language holds it exactly.
const MaxInteger = 1<<53 - 1

// Int reads an integer between -MaxInteger and MaxInteger: digits only, no fraction and no exponent.
func (d *Decoder) Int() int64 { return d.IntIn(-MaxInteger, MaxInteger) }

// IntIn is Int with bounds of its own, both included.
func (d *Decoder) IntIn(low, high int64) int64 {
	d.val = d.pos
	n, frac := d.decimal(0)
	if d.err != nil {
		return 0
	}
	if frac {
		d.Invalid("expected an integer, found a number with a fraction or an exponent")
		return 0
	}
	if n < low || n > high {
		d.Invalid("expected an integer from " + string(AppendInt(nil, low)) + " to " + string(AppendInt(nil, high)))
		return 0
	}
	return n
}

// decimal reads a number with at most places digits behind the point and returns it times 10^places. It stops at the
// first digit beyond, or at an exponent, and reports that. Magnitudes above MaxInteger are returned as MaxInteger + 1.
func (d *Decoder) decimal(places int) (n int64, more bool) {
	b, i := d.data, d.pos
	negative := i < len(b) && b[i] == '-'
	if negative {
		i++
	}
	begin := i
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		if n <= MaxInteger {
			n = n*10 + int64(b[i]-'0')
		}
		i++
	}
	switch {
	case i == begin && !negative:
		if places > 0 {
			d.expected("a number")
		} else {
			d.expected("an integer")
		}
		return 0, false
	case i == begin:
		d.fail(d.pos, CodeInvalid, "invalid number")
		return 0, false
	case b[begin] == '0' && i > begin+1:
		d.fail(d.pos, CodeInvalid, "number with a leading zero")
		return 0, false
	}
	if i < len(b) && b[i] == '.' && places > 0 {
		i++
		begin = i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			if places == 0 {
				return n, true
			}
			places--
			n = min(n*10+int64(b[i]-'0'), MaxInteger+1)
			i++
		}
		if i == begin {
			d.fail(d.pos, CodeInvalid, "invalid number")
			return 0, false
		}
	}
	for ; places > 0; places-- {
		n = min(n*10, MaxInteger+1)
	}
	if i < len(b) && (b[i] == '.' || b[i] == 'e' || b[i] == 'E') {
		return n, true
	}
	n = min(n, MaxInteger+1)
	d.pos = i
	if negative {
		n = -n
	}
	return n, false
}

// number checks a number of any size and form and stands behind it then.
func (d *Decoder) number() {
	b, i := d.data, d.pos
	if i < len(b) && b[i] == '-' {
		i++
	}
	begin := i
	i = skipDigits(b, i)
	ok := i > begin && (b[begin] != '0' || i == begin+1)
	if ok && i < len(b) && b[i] == '.' {
		begin = i + 1
		i = skipDigits(b, begin)
		ok = i > begin
	}
	if ok && i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		begin = i + 1
		if begin < len(b) && (b[begin] == '+' || b[begin] == '-') {
			begin++
		}
		i = skipDigits(b, begin)
		ok = i > begin
	}
	if !ok {
		d.fail(d.pos, CodeInvalid, "invalid number")
		return
	}
	d.pos = i
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}
