// Package text takes text in UTF-8 and gives what the other stages need of it: index terms (Scanner), sentences,
// grapheme borders, excerpts, normal and folded forms, and a warning about hidden characters.
//
// Invariants: all positions are bytes of the text as it was given, never inside a character; Unicode data is generated
// into the package (UnicodeVersion) and neither the toolchain's tables nor the locale decide anything; every function is
// a pure function of its arguments, total on any bytes, and takes time linear in the text. Except for Scanner, all are
// safe for concurrent use, and results share no memory with anything but their arguments.
//
// Terms are NFKC with full case folding and without invisible characters. Scripts that write no spaces, and Hangul, are
// cut into overlapping pairs of characters of one script; a character that stands alone is a term by itself. Compounds
// such as c++, node.js or 2024-05-08 are terms besides their parts.
//
// The package does not guess languages, weigh terms, drop stop words, strip accents, or parse Markdown beyond the fences
// of code blocks. Emoji and other symbols give no terms.
package text
