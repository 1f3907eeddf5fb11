// Package text takes a text and gives index terms, sentences, grapheme borders and excerpts.
package text
