package main

import "fmt"

func (db *database) each(lo, hi rune, f func(c *char)) error {
	for ; lo <= hi; lo++ {
		f(&db.chars[lo])
	}
	return nil
}

func readScript(db *database, f []string, lo, hi rune) error {
	return db.each(lo, hi, func(c *char) { c.script = f[1] })
}

func readPropList(db *database, f []string, lo, hi rune) error {
	if f[1] != "White_Space" {
		return nil
	}
	return db.each(lo, hi, func(c *char) { c.space = true })
}

func readCore(db *database, f []string, lo, hi rune) error {
	if f[1] != "Default_Ignorable_Code_Point" {
		return nil
	}
	return db.each(lo, hi, func(c *char) { c.ignorable = true })
}

func readNormalization(db *database, f []string, lo, hi rune) error {
	switch f[1] {
	case "Full_Composition_Exclusion":
		return db.each(lo, hi, func(c *char) { c.excluded = true })
	case "NFKC_QC":
		return db.each(lo, hi, func(c *char) { c.changes = f[2] == "N" })
	case "NFKC_CF":
		to, err := parseRunes(f[2])
		if err != nil {
			return err
		}
		return db.each(lo, hi, func(c *char) { c.nfkcFold, c.hasNFKCF = to, true })
	}
	return nil
}

func readFold(db *database, f []string, lo, hi rune) error {
	if f[1] != "C" && f[1] != "F" {
		return nil
	}
	to, err := parseRunes(f[2])
	if err != nil {
		return err
	}
	return db.each(lo, hi, func(c *char) { c.fold = to })
}

func readShaping(db *database, f []string, lo, hi rune) error {
	if len(f) < 3 {
		return fmt.Errorf("%d fields", len(f))
	}
	switch f[2] {
	case "D", "R", "L":
		return db.each(lo, hi, func(c *char) { c.joins = true })
	}
	return nil
}

func readGrapheme(db *database, f []string, lo, hi rune) error {
	return db.each(lo, hi, func(c *char) { c.grapheme = f[1] })
}

func readEmoji(db *database, f []string, lo, hi rune) error {
	if f[1] != "Extended_Pictographic" {
		return nil
	}
	return db.each(lo, hi, func(c *char) { c.pictograph = true })
}

func readBidi(db *database, f []string, lo, hi rune) error {
	return db.each(lo, hi, func(c *char) { c.bidi = f[1] })
}
