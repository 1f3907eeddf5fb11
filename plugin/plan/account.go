package plan

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/num"
)

// Account is what the host brings and the room that is left for the memory.
type Account struct {
	Window, Output, Margin, System, Tools, Evidence, Input int64
	// HistoryOnly says that the request gave the tokens of the memory and no window.
	HistoryOnly bool
	// History is the room for the memory; it may be negative.
	History int64
}

// Open computes the room for the memory. Exactly one of window and history is given; the caller has checked that. It
// reports false when a history and what the request brings add up to more than the largest integer of the contract.
func Open(b *abi.BudgetRequest, system, tools, evidence, input int64) (Account, bool) {
	a := Account{Output: b.Output, Margin: b.Margin, System: system, Tools: tools, Evidence: evidence, Input: input}
	if b.History != nil {
		a.HistoryOnly = true
		a.History = *b.History
		a.Window = num.SaturatingAdd(max(a.History, 0), a.fixed())
		return a, a.Window <= abi.MaxInteger
	}
	a.Window = *b.Window
	a.History = num.SaturatingSub(a.Window, a.fixed())
	return a, true
}

func (a *Account) fixed() int64 {
	n := num.SaturatingAdd(a.Output, a.Margin)
	for _, v := range [...]int64{a.System, a.Tools, a.Evidence, a.Input} {
		n = num.SaturatingAdd(n, v)
	}
	return n
}

// Need is what has to fit, and Have the room for it, when the memory needs at least history tokens: of the window with
// all that the host brings, or of the history alone when the request gave that.
func (a *Account) Need(history int64) (need, have int64) {
	if a.HistoryOnly {
		return min(history, abi.MaxInteger), a.History
	}
	return min(num.SaturatingAdd(a.fixed(), history), abi.MaxInteger), a.Window
}

// Ledger closes the account.
func (a *Account) Ledger(used abi.Used) abi.Budget {
	b := abi.Budget{Window: a.Window, Output: a.Output, Margin: a.Margin, System: a.System, Tools: a.Tools,
		Evidence: a.Evidence, Input: a.Input, History: a.History, Used: used, Counting: "estimated"}
	b.Total = num.SaturatingAdd(a.fixed(), used.Instructions+used.Pinned+used.Retrieved+used.Recent)
	b.Free = b.Window - b.Total
	return b
}
