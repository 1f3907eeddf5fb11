package lexical

import (
	"math/rand"
	"strings"
	"testing"
)

// grammar are the function words of a talk, the commonest first, at shares that are usual in English.
var grammar = strings.Fields(`the to and of a i in is that it for you was with on as have be at this we not but they are so my if what or
from an me by your do all just about there can would will out up one he she had get when has been how more her his them`)

// talkOf makes messages of 60 words: four in ten are function words, the rest follow Zipf's law over 30,000 words.
func talkOf(messages int) []Doc {
	r := rand.New(rand.NewSource(1))
	content := rand.NewZipf(r, 1.05, 4, 30_000-1)
	function := rand.NewZipf(r, 1.2, 2, uint64(len(grammar)-1))
	docs := make([]Doc, messages)
	var b strings.Builder
	for i := range docs {
		b.Reset()
		for w := range 60 {
			if r.Intn(10) < 4 {
				b.WriteString(grammar[function.Uint64()])
			} else {
				b.WriteString(madeWord(int(content.Uint64())))
			}
			if w%12 == 11 {
				b.WriteString(". ")
			} else {
				b.WriteByte(' ')
			}
		}
		docs[i] = Doc{Text: b.String(), Session: int32(i / 40), Run: int32(i), Year: 2024, Month: 1 + i/2500%12, Day: 1 + i/80%28}
		if i%2 == 0 {
			docs[i].Speaker = "Ana"
		}
	}
	return docs
}

// madeWord spells a number in syllables.
func madeWord(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for n += 14 * 5; n > 0; n /= 14 * 5 {
		b.WriteByte(consonants[n%14])
		b.WriteByte(vowels[n/14%5])
	}
	b.WriteByte(consonants[n%14])
	return b.String()
}

// questionsOf takes words from messages, as people do who ask for something that was said.
func questionsOf(docs []Doc, n int) []string {
	r := rand.New(rand.NewSource(2))
	out := make([]string, n)
	for i := range out {
		words := strings.Fields(docs[r.Intn(len(docs))].Text)
		at := r.Intn(len(words) - 10)
		out[i] = "what was the " + strings.Join(words[at:at+5+r.Intn(5)], " ")
		if i%4 == 0 {
			out[i] = "when did Ana " + out[i]
		}
	}
	return out
}

func BenchmarkAdd(b *testing.B) {
	docs := talkOf(25_000)
	b.ReportAllocs()
	x := New()
	i := 0
	for b.Loop() {
		if i == len(docs) {
			x, i = New(), 0
		}
		x.Add(docs[i])
		i++
	}
}

func BenchmarkSearch(b *testing.B) {
	docs := talkOf(25_000)
	x := New()
	for _, d := range docs {
		x.Add(d)
	}
	qs := questionsOf(docs, 64)
	xs := []*Index{x}
	visible := []Bitmap{NewBitmap(len(docs))}
	for i := range docs {
		if i%10 != 0 {
			visible[0].Set(i)
		}
	}
	b.Logf("%d terms, %d postings, %.1f MB, %.2f bytes a posting in buffers", x.Terms(), x.Postings(), float64(x.Bytes())/1e6, float64(x.buffers)/float64(x.postings))
	run := func(name string, visible []Bitmap, limit int) {
		b.Run(name, func(b *testing.B) {
			var s Searcher
			i := 0
			candidates := 0
			for b.Loop() {
				candidates += s.Search(Compile(qs[i%len(qs)]), xs, visible, limit).Candidates
				i++
			}
			b.ReportMetric(float64(candidates)/float64(i), "candidates/op")
		})
	}
	run("all", nil, 2000)
	run("nine in ten", visible, 2000)
	b.Run("view after a change", func(b *testing.B) {
		for b.Loop() {
			x.view.generation = 0
			x.look(nil, true)
		}
	})
}
