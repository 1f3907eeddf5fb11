package engine

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// letters makes messages of single letters: "a" says a, "a1" says a with the id 1.
func letters(list string) []abi.Message {
	var out []abi.Message
	for _, f := range strings.Fields(list) {
		out = append(out, abi.Message{Role: abi.RoleUser, ID: f[1:], Content: abi.TextContent(f[:1])})
	}
	return out
}

func syncing(t *testing.T, s *Space, list string, prune bool) *abi.AppendResponse {
	t.Helper()
	out, e := s.Append(&abi.AppendRequest{Thread: "t", Mode: modeSync, Messages: letters(list), Prune: prune})
	if e != nil {
		t.Fatalf("sync %q: %+v", list, e)
	}
	return out
}

func statuses(out *abi.AppendResponse) string {
	var b strings.Builder
	for i, m := range out.Messages {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%c%s", m.Status[0], m.ID)
	}
	return b.String()
}

// said is the thread as letters with their ids.
func said(t *testing.T, s *Space, thread string) string {
	t.Helper()
	out, e := s.Read(&abi.ReadRequest{Thread: thread, Limit: 1000})
	if e != nil {
		t.Fatalf("%+v", e)
	}
	var words []string
	for _, m := range out.Messages {
		words = append(words, m.Message.Content.Text+m.Message.ID)
	}
	return strings.Join(words, " ")
}

func TestSync(t *testing.T) {
	for _, c := range []struct {
		name, stored, list string
		prune              bool
		// status of each: a added, d duplicate, r replaced, with the id.
		status, absent, then string
	}{
		{"unchanged", "a b c", "a b c", false, "d#1 d#2 d#3", "", "a#1 b#2 c#3"},
		{"unchanged with ids", "a1 b2 c3", "a1 b2 c3", false, "d1 d2 d3", "", "a1 b2 c3"},
		{"grown at the end", "a b", "a b c d", false, "d#1 d#2 a#3 a#4", "", "a#1 b#2 c#3 d#4"},
		{"cut at the head", "a b c", "b c d", false, "d#2 d#3 a#4", "#1", "a#1 b#2 c#3 d#4"},
		{"cut at the tail", "a b c", "a b", false, "d#1 d#2", "#3", "a#1 b#2 c#3"},
		{"cut at the tail with prune", "a b c", "a b", true, "d#1 d#2", "#3", "a#1 b#2"},
		{"one taken out with prune", "a b c", "a c", true, "d#1 d#3", "#2", "a#1 c#3"},
		{"empty list with prune", "a b", "", true, "", "#1 #2", ""},
		{"one replaced without ids", "a b c", "a x c", false, "d#1 a#4 d#3", "#2", "a#1 b#2 c#3 x#4"},
		{"one replaced by its id", "a1 b2 c3", "a1 x2 c3", false, "d1 r2 d3", "", "a1 x2 c3"},
		{"one put in the middle", "a b", "a x b", false, "d#1 a#3 d#2", "", "a#1 b#2 x#3"},
		{"two in the other order", "a b", "b a", false, "d#2 a#3", "#1", "a#1 b#2 a#3"},
		{"two in the other order before a third", "a b c", "b a c", false, "d#2 d#1 d#3", "", "a#1 b#2 c#3"},
		{"two with ids in the other order", "a1 b2", "b2 a1", false, "d2 d1", "", "a1 b2"},
		{"the same said again at the end", "y a y b", "a y b y", false, "d#2 d#3 d#4 a#5", "#1", "y#1 a#2 y#3 b#4 y#5"},
		{"head cut behind the first", "s y a", "s a y", false, "d#1 d#3 a#4", "#2", "s#1 y#2 a#3 y#4"},
		{"the same said again behind a head that was cut", "h q k", "q k r k", false, "d#2 d#3 a#4 a#5", "#1", "h#1 q#2 k#3 r#4 k#5"},
		{"latest of equal ones", "y a y", "y", false, "d#3", "#1 #2", "y#1 a#2 y#3"},
		{"id given later", "a b", "a7 b8", false, "d#1 d#2", "", "a#1 b#2"},
		{"id lost later", "a7 b8", "a b", false, "d7 d8", "", "a7 b8"},
		{"another id with the same words", "a7", "a8", false, "a8", "7", "a7 a8"},
		{"an id before what stands between", "y a1", "a1 y", false, "d1 a#3", "#1", "y#1 a1 y#3"},
		{"an id twice in the list", "a", "a7 a7", false, "d#1 d#1", "", "a#1"},
		{"a new id twice in the list", "b", "b a7 a7", false, "d#1 a7 d7", "", "b#1 a7"},
		{"another first message", "a b c", "x a b c", false, "a#4 d#1 d#2 d#3", "", "a#1 b#2 c#3 x#4"},
		{"into an empty thread", "", "a b", false, "a#1 a#2", "", "a#1 b#2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New()
			if c.stored != "" {
				if _, e := s.Append(&abi.AppendRequest{Thread: "t", Messages: letters(c.stored)}); e != nil {
					t.Fatalf("%+v", e)
				}
			}
			out := syncing(t, s, c.list, c.prune)
			if got := statuses(out); got != c.status {
				t.Errorf("became %q, want %q", got, c.status)
			}
			if got := strings.Join(out.Absent, " "); got != c.absent || int(out.AbsentCount) != len(out.Absent) {
				t.Errorf("absent %q (%d), want %q", got, out.AbsentCount, c.absent)
			}
			if got := said(t, s, "t"); got != c.then {
				t.Errorf("the thread is %q, want %q", got, c.then)
			}
		})
	}
}

// A system message that changes from call to call is one message, and what follows it is not taken for new.
func TestSyncWithAnotherSystemMessage(t *testing.T) {
	system := func(text, list string) []abi.Message {
		return append([]abi.Message{{Role: abi.RoleSystem, Content: abi.TextContent(text)}}, letters(list)...)
	}
	for _, c := range []struct {
		name         string
		stored, list []abi.Message
		status, then string
	}{
		{"another text", system("today is Monday", "a b"), system("today is Tuesday", "a b c"), "r#1 d#2 d#3 a#4", "today is Tuesday#1 a#2 b#3 c#4"},
		{"another text before a window", system("one", "y a y b"), system("two", "y b y"), "r#1 d#4 d#5 a#6", "two#1 y#2 a#3 y#4 b#5 y#6"},
		{"the same before a window", system("one", "y a y b"), system("one", "y b y"), "d#1 d#4 d#5 a#6", "one#1 y#2 a#3 y#4 b#5 y#6"},
		{"a second one", system("one", "a"), append(system("one", ""), system("two", "a")...), "d#1 a#3 d#2", "one#1 a#2 two#3"},
		{"the second of two", append(system("one", ""), system("two", "a")...), append(system("one", ""), system("three", "a b")...),
			"d#1 r#2 d#3 a#4", "one#1 three#2 a#3 b#4"},
		{"none before", letters("a b"), system("one", "a b"), "a#3 d#1 d#2", "a#1 b#2 one#3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New()
			mustAppend(t, s, "t", c.stored...)
			for i := range 2 {
				out, e := s.Append(&abi.AppendRequest{Thread: "t", Mode: modeSync, Messages: slices.Clone(c.list)})
				if e != nil {
					t.Fatalf("%+v", e)
				}
				if got := statuses(out); i == 0 && got != c.status {
					t.Errorf("became %q, want %q", got, c.status)
				}
				if got := said(t, s, "t"); got != c.then {
					t.Errorf("the thread is %q, want %q", got, c.then)
				}
			}
		})
	}
}

// longestCommon is the length of a longest common subsequence, the slow way. pairs[x][n] says that x and n may be a pair.
func longestCommon(pairs [][]bool) int {
	if len(pairs) == 0 {
		return 0
	}
	best := make([][]int, len(pairs)+1)
	for i := range best {
		best[i] = make([]int, len(pairs[0])+1)
	}
	for i := len(pairs) - 1; i >= 0; i-- {
		for j := len(pairs[0]) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if pairs[i][j] {
				best[i][j] = max(best[i][j], 1+best[i+1][j+1])
			}
		}
	}
	return best[0][0]
}

// overlap is how many messages the end of the thread and the beginning of the list have in common, the slow way.
func overlap(pairs [][]bool) int {
	if len(pairs) == 0 {
		return 0
	}
	stored := len(pairs[0])
	for k := min(len(pairs), stored); k > 0; k-- {
		all := true
		for i := range k {
			all = all && pairs[i][stored-k+i]
		}
		if all {
			return k
		}
	}
	return 0
}

func randomLetters(r *rand.Rand, n, alphabet int) string {
	var words []string
	used := map[string]bool{}
	for range n {
		w := string(rune('a' + r.Intn(alphabet)))
		if id := fmt.Sprint(r.Intn(9)); r.Intn(4) == 0 && !used[id] {
			used[id] = true
			w += id
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// A sync matches as many as the longest common subsequence, or a window; each stored message once and only with what says the
// same; and a third sync of a list never adds anything.
func TestSyncAgainstLongestCommonSubsequence(t *testing.T) {
	rounds := 6000
	if testing.Short() {
		rounds = 800
	}
	matched, again := 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		n, moved := checkSync(t, randomLetters(r, r.Intn(9), 1+r.Intn(4)), randomLetters(r, r.Intn(9), 1+r.Intn(4)))
		if matched += n; moved {
			again++
		}
	}
	if matched < rounds || again > rounds/5 {
		t.Errorf("%d matched, %d of %d lists were taken for new once more", matched, again, rounds)
	}
}

// FuzzSync gives lists of letters and ids, such as "a b1 a".
func FuzzSync(f *testing.F) {
	for _, s := range [][2]string{{"a b", "b a"}, {"y a y b", "a y b y"}, {"a a a1 a", "a a a a1 a a a"}, {"b d c c c c a a", "b c b c"}, {"", "a7 a7"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, stored, list string) {
		if s, ok := legal(stored); ok {
			if l, ok := legal(list); ok {
				checkSync(t, s, l)
			}
		}
	})
}

// legal makes a list of at most 12 letters of what a fuzzer gives; each id is there once.
func legal(list string) (string, bool) {
	var words []string
	ids := map[string]bool{}
	for _, w := range strings.Fields(list) {
		id := strings.TrimLeft(w[1:], "#")
		if w[0] < 'a' || w[0] > 'z' || id != w[1:] || !utf8.ValidString(id) || ids[id] && id != "" {
			return "", false
		}
		ids[id] = true
		words = append(words, w)
	}
	return strings.Join(words, " "), len(words) <= 12
}

// checkSync syncs a list to a thread, and says how many were matched, and whether a second sync added something.
func checkSync(t *testing.T, stored, list string) (matched int, again bool) {
	t.Helper()
	name := fmt.Sprintf("%q over %q", list, stored)
	s := New()
	if stored != "" {
		mustAppend(t, s, "t", letters(stored)...)
	}
	th := s.open("t")
	asked := letters(list)
	ats := make([]int32, len(asked))
	for i := range asked {
		if ats[i] = -1; asked[i].ID != "" {
			ats[i] = th.find(asked[i].ID)
		}
	}
	pairs := possible(th, asked, ats)
	absent := s.matchContent(th, asked, ats)
	seen := map[int32]bool{}
	for i, a := range ats {
		if a < 0 {
			continue
		}
		if seen[a] || !pairs[i][a] {
			t.Fatalf("%s: message %d is matched with %d", name, i, a)
		}
		seen[a] = true
	}
	least, window := longestCommon(pairs), overlap(pairs)
	if len(seen) < least && (len(seen) < window || 2*window < least) {
		t.Fatalf("%s: %d matched, %d have an order in common, the window has %d", name, len(seen), least, window)
	}
	if len(absent)+len(seen) != len(th.book.Messages) || !slices.IsSorted(absent) {
		t.Fatalf("%s: %d matched, absent %v", name, len(seen), absent)
	}
	if 2*window <= least {
		checkTail(t, name, pairs, ats, absent)
	}
	var then [3]string
	for i := range then {
		syncing(t, s, list, false)
		then[i] = said(t, s, "t")
	}
	if then[1] != then[2] {
		t.Fatalf("%s: %q, then %q, then %q", name, then[0], then[1], then[2])
	}
	return len(seen), then[0] != then[1]
}

// possible says which messages may be pairs: those matched by id with each other alone, else what says the same, as long as
// they don't both have an id.
func possible(th *thread, asked []abi.Message, ats []int32) [][]bool {
	var pairs [][]bool
	for i := range asked {
		row := make([]bool, len(th.book.Messages))
		for a, old := range th.book.Messages {
			switch taken := slices.Contains(ats, int32(a)); {
			case ats[i] >= 0 || taken:
				row[a] = ats[i] == int32(a)
			default:
				row[a] = message.Equal(&asked[i], &old.Wire) && (asked[i].ID == "" || old.Wire.ID[0] == '#')
			}
		}
		pairs = append(pairs, row)
	}
	return pairs
}

// checkTail: what is not matched and stands before a matched message has no partner among the absent ones. (What stands
// behind all in order is new, whatever was said before.)
func checkTail(t *testing.T, name string, pairs [][]bool, ats, absent []int32) {
	t.Helper()
	in := longestCommon(pairs)
	for i, a := range ats {
		if a >= 0 || longestCommon(pairs[:i]) == in {
			continue // the messages before it hold a longest subsequence, so that it may be new
		}
		for _, left := range absent {
			if pairs[i][left] {
				t.Fatalf("%s: message %d could be %d", name, i, left)
			}
		}
	}
}

// A history that only grows and is cut at its head is never stored twice and never loses its newest message, however often
// the same is said.
func TestSyncOfAWindow(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		s := New()
		var all []string
		from := 0
		for range 30 {
			for range 1 + r.Intn(3) {
				all = append(all, string(rune('a'+r.Intn(26))))
			}
			if r.Intn(3) == 0 {
				from += r.Intn(max(1, len(all)-from-6))
			}
			list := strings.Join(all[from:], " ")
			before := ""
			if s.threads["t"] != nil {
				before = said(t, s, "t")
			}
			out := syncing(t, s, list, false)
			if last := out.Messages[len(out.Messages)-1]; last.Status != statusAdded {
				t.Fatalf("seed %d: %q over %q: the newest message is a %s: %s", seed, list, before, last.Status, statuses(out))
			}
			again := syncing(t, s, list, false)
			for _, m := range again.Messages {
				if m.Status != statusDuplicate {
					t.Fatalf("seed %d: %q again: %s", seed, list, statuses(again))
				}
			}
		}
		if got := said(t, s, "t"); strings.Count(got, " ")+1 != len(all) {
			t.Fatalf("seed %d: %d messages said, %d stored", seed, len(all), strings.Count(got, " ")+1)
		}
	}
}

func TestSyncKeepsWhatItDoesNotBring(t *testing.T) {
	s := New()
	mustAppend(t, s, "t", abi.Message{ID: "m1", Role: abi.RoleUser, Time: "2026-05-22T22:45:00+08:00", Content: abi.TextContent("the code is 4417"),
		ACL: []string{"support"}, Labels: map[string]string{"order": "A123"}, Meta: []byte(`{"a":1}`)})
	if _, e := s.Amend(&abi.AmendRequest{Thread: "t", Pin: []string{"m1"}}); e != nil {
		t.Fatalf("%+v", e)
	}
	out, e := s.Append(&abi.AppendRequest{Thread: "t", Mode: modeSync, Messages: []abi.Message{{ID: "m1", Role: abi.RoleUser, Content: abi.TextContent("the code is 5528")}}})
	if e != nil || out.Messages[0].Status != statusReplaced {
		t.Fatalf("%+v %+v", out, e)
	}
	read, _ := s.Read(&abi.ReadRequest{Thread: "t"})
	m := read.Messages[0]
	if w := m.Message; !w.Pin || len(w.ACL) != 1 || w.Labels["order"] != "A123" || string(w.Meta) != `{"a":1}` || w.Time == "" || m.Edited != 1 ||
		w.Content.Text != "the code is 5528" {
		t.Fatalf("%+v", m)
	}
}

func mustAppend(t *testing.T, s *Space, thread string, messages ...abi.Message) *abi.AppendResponse {
	t.Helper()
	out, e := s.Append(&abi.AppendRequest{Thread: thread, Messages: messages})
	if e != nil {
		t.Fatalf("%+v", e)
	}
	return out
}

func TestSyncThatFailsChangesNothing(t *testing.T) {
	s := New()
	mustConfigure(t, s, `{"limits":{"messages":3,"message_bytes":20}}`)
	syncing(t, s, "a1 b c", false)
	before := dump(t, s)
	long := strings.Repeat("x", 30)
	for name, c := range map[string]struct {
		messages []abi.Message
		code     string
	}{
		"too many":             {letters("a1 b c d"), abi.CodeTooLarge},
		"too long":             {append(letters("a1"), abi.Message{Role: abi.RoleUser, Content: abi.TextContent(long)}), abi.CodeTooLarge},
		"an id with two texts": {letters("x1 y1"), abi.CodeConflict},
		"no content":           {append(letters("a1"), abi.Message{Role: abi.RoleUser}), abi.CodeInvalidRequest},
		"an id of the engine":  {append(letters("a1"), abi.Message{ID: "#9", Role: abi.RoleUser, Content: abi.TextContent("b")}), abi.CodeInvalidRequest},
	} {
		_, e := s.Append(&abi.AppendRequest{Thread: "t", Mode: modeSync, Messages: c.messages, Prune: true})
		if e == nil || e.Code != c.code {
			t.Errorf("%s: %+v", name, e)
		}
		if dump(t, s) != before {
			t.Errorf("%s: the state has changed", name)
		}
	}
}
