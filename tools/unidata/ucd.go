package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const maxRune = 0x10FFFF

// char is what the database says of one code point.
type char struct {
	category   string
	ccc        uint8
	decomp     []rune // one level, canonical or compatibility
	compat     bool
	tag        string // of a compatibility decomposition: super, sub, fraction …
	script     string
	grapheme   string
	bidi       string
	ignorable  bool
	pictograph bool
	excluded   bool // Full_Composition_Exclusion
	space      bool
	joins      bool // has a cursive joining type (D or R)
	fold       []rune
	nfkcFold   []rune
	changes    bool // NFKC_Quick_Check is No
	hasNFKCF   bool
}

type database struct {
	version string
	chars   []char
}

// load reads the files of dir.
func load(dir string) (*database, error) {
	db := &database{chars: make([]char, maxRune+1)}
	for i := range db.chars {
		db.chars[i].category = "Cn"
		db.chars[i].grapheme = "Other"
	}
	steps := []struct {
		file string
		read func(*database, []string, rune, rune) error
	}{
		{"Scripts.txt", readScript},
		{"PropList.txt", readPropList},
		{"DerivedCoreProperties.txt", readCore},
		{"DerivedNormalizationProps.txt", readNormalization},
		{"CaseFolding.txt", readFold},
		{"ArabicShaping.txt", readShaping},
		{"auxiliary/GraphemeBreakProperty.txt", readGrapheme},
		{"emoji/emoji-data.txt", readEmoji},
		{"extracted/DerivedBidiClass.txt", readBidi},
	}
	if err := db.readUnicodeData(filepath.Join(dir, "UnicodeData.txt")); err != nil {
		return nil, err
	}
	for _, s := range steps {
		err := eachLine(filepath.Join(dir, s.file), func(fields []string) error {
			lo, hi, err := parseRange(fields[0])
			if err != nil {
				return err
			}
			return s.read(db, fields, lo, hi)
		})
		if err != nil {
			return nil, err
		}
	}
	version, err := readVersion(filepath.Join(dir, "PropList.txt"))
	db.version = version
	return db, err
}

// readVersion takes the version from a first line such as "# PropList-15.0.0.txt".
func readVersion(name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	_, v, ok := strings.Cut(strings.TrimSpace(line), "PropList-")
	v, ok2 := strings.CutSuffix(v, ".txt")
	if !ok || !ok2 {
		return "", fmt.Errorf("%s: no version in %q", name, line)
	}
	return v, nil
}

func eachLine(name string, f func(fields []string) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	sc := bufio.NewScanner(file)
	for n := 1; sc.Scan(); n++ {
		line, _, _ := strings.Cut(sc.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, ";")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if err := f(fields); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return sc.Err()
}

func parseRange(s string) (lo, hi rune, err error) {
	a, b, ok := strings.Cut(s, "..")
	if !ok {
		b = a
	}
	lo, err = parseRune(a)
	if err == nil {
		hi, err = parseRune(b)
	}
	return lo, hi, err
}

func parseRune(s string) (rune, error) {
	v, err := strconv.ParseUint(s, 16, 32)
	if err != nil || v > maxRune {
		return 0, fmt.Errorf("bad code point %q", s)
	}
	return rune(v), nil
}

func parseRunes(s string) ([]rune, error) {
	var out []rune
	for _, f := range strings.Fields(s) {
		r, err := parseRune(f)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (db *database) readUnicodeData(name string) error {
	var first rune
	return eachLine(name, func(f []string) error {
		if len(f) < 6 {
			return fmt.Errorf("%d fields", len(f))
		}
		r, err := parseRune(f[0])
		if err != nil {
			return err
		}
		if strings.HasSuffix(f[1], ", First>") {
			first = r
			return nil
		}
		lo := r
		if strings.HasSuffix(f[1], ", Last>") {
			lo = first
		}
		ccc, err := strconv.ParseUint(f[3], 10, 8)
		if err != nil {
			return err
		}
		c := char{category: f[2], ccc: uint8(ccc), grapheme: "Other"}
		if d := f[5]; d != "" {
			if strings.HasPrefix(d, "<") {
				tag, rest, _ := strings.Cut(d[1:], ">")
				c.compat, c.tag, d = true, tag, rest
			}
			if c.decomp, err = parseRunes(d); err != nil {
				return err
			}
		}
		for ; lo <= r; lo++ {
			db.chars[lo] = c
		}
		return nil
	})
}
