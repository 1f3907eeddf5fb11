// Command unidata takes a folder with the Unicode Character Database and writes the tables of package text.
//
//	go run ./tools/unidata -ucd /usr/share/unicode -out plugin/text
//
// The folder has the layout that Debian's package unicode-data installs: UnicodeData.txt, Scripts.txt, and so on at the
// top, GraphemeBreakProperty.txt in auxiliary/, emoji-data.txt in emoji/, DerivedBidiClass.txt in extracted/. The same
// input gives the same bytes. The command checks that the tables which it derives (decomposition, then folding of each
// character) agree with NFKC_Casefold of DerivedNormalizationProps.txt for every code point, and fails otherwise.
//
// It does not choose the version: text.UnicodeVersion comes from the files.
package main
