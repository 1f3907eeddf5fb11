package abi

import "github.com/ctxplan/ctxplan/abi/wire"

// PlanRequest asks for a context plan. It changes nothing.
//
//abi:request
type PlanRequest struct {
	Thread string `json:"thread" maxlen:"512"`
	// Question to be answered. Without one it is the newest user text of the input, else of the thread.
	Question string `json:"question,omitempty"`
	// Input is placed and counted, and not stored. A message whose id is stored counts once.
	Input []Message `json:"input,omitempty" maxitems:"1000"`
	// Now is the time of the call, RFC 3339 with an offset.
	Now string `json:"now,omitempty"`
	// Budget is the account of tokens.
	Budget BudgetRequest `json:"budget"`
	// System is the system text of the host, or its number of tokens.
	System TextOrCount `json:"system,omitempty"`
	// Tools is the list of tool schemas that is sent to the model, or its number of tokens.
	Tools JSONOrCount `json:"tools,omitempty"`
	// Evidence is what the host fetched from an authority for this call, or its number of tokens.
	Evidence EvidenceOrCount `json:"evidence,omitempty"`
	// Scope narrows what is considered.
	Scope *Scope `json:"scope,omitempty"`
	// Strategy is auto (the default), fused or truncate.
	Strategy string `json:"strategy,omitempty" enum:"auto,fused,truncate"`
	// Explain lists every candidate with its ranks.
	Explain bool `json:"explain,omitempty"`
	// Settings for this call only, merged by RFC 7396.
	Settings SettingsPatch `json:"settings,omitempty"`
	// Render gives the plan as a request body of this format too.
	Render string `json:"render,omitempty" enum:"openai.chat,openai.responses,anthropic.messages,gemini.contents,text"`
	// Previous is the prefix of the last plan: items that stood there keep their place and bytes while they fit.
	Previous []string `json:"previous,omitempty" maxitems:"20000"`
	// Results of the needs of earlier rounds.
	Results []Result `json:"results,omitempty" maxitems:"1024"`
}

// RenderRequest asks for a plan as the parts of a request body. It changes nothing.
//
//abi:request
type RenderRequest struct {
	// Format of the body.
	Format string `json:"format" enum:"openai.chat,openai.responses,anthropic.messages,gemini.contents,text"`
	// Revision of the plan. One from before the last forgetting is stale.
	Revision int64 `json:"revision"`
	// Items of the plan, in order.
	Items []Item `json:"items" maxitems:"200000"`
}

// RenderResponse holds the parts of a request body.
//
//abi:response
type RenderResponse struct {
	Rendered wire.Raw `json:"rendered"`
}

// BudgetRequest is the account from which the share of history is computed: window − output − margin − system − tools −
// evidence − input. Either window or history is given.
type BudgetRequest struct {
	// Window of the model, in tokens.
	Window *int64 `json:"window,omitempty"`
	// Output is kept free for the answer.
	Output int64 `json:"output,omitempty" min:"0"`
	// Margin is kept free for what estimates miss.
	Margin int64 `json:"margin,omitempty" min:"0"`
	// History gives the tokens for all that ctxplan adds, recent turns included, in place of an account.
	History *int64 `json:"history,omitempty"`
}

// Evidence is one text that the host fetched from an authority for this call.
type Evidence struct {
	Text string `json:"text"`
}

// Scope narrows what is considered.
type Scope struct {
	// Threads are searched, by default only the thread of the request; ["*"] is every thread of the space.
	Threads []string `json:"threads,omitempty" maxitems:"10000"`
	// Since and Until bound the time of searched messages: since ≤ time < until, RFC 3339. Messages without a time are
	// out when either is given.
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
	// Labels that a searched message has, all of them.
	Labels map[string]string `json:"labels,omitempty"`
	// ACL names who asks. Messages with an acl that has none of the names are not there for this plan: neither in items nor
	// in counts, numbers or statistics. Without acl everything is visible; with [] only messages that have none.
	ACL Names `json:"acl,omitempty"`
}

// PlanResponse holds either a plan or the needs that have to be answered first.
//
//abi:response
type PlanResponse struct {
	Plan  *Plan  `json:"plan,omitempty"`
	Needs []Need `json:"needs,omitempty"`
}

// Plan is an ordered list of items that fit the budget, and the account of every token and message.
type Plan struct {
	Thread string `json:"thread"`
	// Revision of the space on which the plan stands.
	Revision int64 `json:"revision"`
	// Strategy that was used.
	Strategy string `json:"strategy"`
	Budget   Budget `json:"budget"`
	// Items in the order in which they are sent.
	Items []Item `json:"items"`
	// Dropped lists the best candidates and all pinned items that are not in the plan, with explain all messages.
	Dropped []Dropped `json:"dropped"`
	// DroppedCounts counts all dropped messages by reason.
	DroppedCounts map[string]int64 `json:"dropped_counts"`
	// Coverage says where each message of the thread went.
	Coverage Coverage `json:"coverage"`
	// Rendered is the plan as the parts of a request body, when the request names a format.
	Rendered wire.Raw `json:"rendered,omitempty"`
	// Candidates is the fused ranking with all its parts, best first, with explain only.
	Candidates []Candidate `json:"candidates,omitempty"`
	// Prefix holds a digest for each item before the live turn, for the next request.
	Prefix []string `json:"prefix"`
	// Cache says how much of the prefix is as it was in the last plan.
	Cache    Cache     `json:"cache"`
	Warnings []Warning `json:"warnings,omitempty"`
	// Repaired lists the paths of strings in which lone surrogates were replaced by U+FFFD, at most 16.
	Repaired []string `json:"repaired,omitempty"`
}

// Cache is the part of a plan that a provider's prompt cache can have: items from the first on that are byte-equal to
// those of the last plan, and their tokens.
type Cache struct {
	Items  int64 `json:"items"`
	Tokens int64 `json:"tokens"`
}

// Budget is the ledger of a plan, in tokens.
type Budget struct {
	Window int64 `json:"window"`
	Output int64 `json:"output"`
	Margin int64 `json:"margin"`
	// System, Tools, Evidence and Input are what the host brings.
	System   int64 `json:"system"`
	Tools    int64 `json:"tools"`
	Evidence int64 `json:"evidence"`
	Input    int64 `json:"input"`
	// History is what is left for the memory.
	History int64 `json:"history"`
	// Used is what the memory took of it.
	Used Used `json:"used"`
	// Total is everything, output and margin included.
	Total int64 `json:"total"`
	// Free is window − total.
	Free int64 `json:"free"`
	// FullHistory is what the whole thread would cost.
	FullHistory int64 `json:"full_history"`
	// Counting is estimated.
	Counting string `json:"counting"`
	// Profile is the token profile.
	Profile string `json:"profile"`
}

// Used is what the memory took of the history, in tokens.
type Used struct {
	Instructions int64 `json:"instructions"`
	Pinned       int64 `json:"pinned"`
	Retrieved    int64 `json:"retrieved"`
	// Recent includes the live turn.
	Recent int64 `json:"recent"`
}

// Item is one entry of a plan.
type Item struct {
	// Kind is system, instruction, pinned, recent, retrieved, evidence, live or input.
	Kind string `json:"kind"`
	// ID of the message.
	ID string `json:"id,omitempty"`
	// Thread of the message.
	Thread string `json:"thread,omitempty"`
	// Seq is the number of the message in its thread.
	Seq  int64  `json:"seq,omitempty"`
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
	Time string `json:"time,omitempty"`
	// Header stands before the text of a retrieved item and is counted with it.
	Header string `json:"header,omitempty"`
	// Text of the item: the words of the message, or an excerpt of them.
	Text string `json:"text"`
	// Parts of a message whose content is not plain text.
	Parts []Part `json:"parts,omitempty"`
	// ToolCalls of the message, for items that are sent as messages.
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	Error      bool       `json:"error,omitempty"`
	// Tokens that the item costs, header included.
	Tokens int64 `json:"tokens"`
	// Trust is where the words come from: authority, tool, user, assistant.
	Trust string `json:"trust,omitempty"`
	// Verbatim is true when the text is the whole text of the message.
	Verbatim bool `json:"verbatim"`
	// Open marks a message of a group whose results are not all there.
	Open bool `json:"open,omitempty"`
	// Excerpt says which bytes of the text were kept.
	Excerpt *Excerpt `json:"excerpt,omitempty"`
	// Why says how a retrieved item was found.
	Why *Why `json:"why,omitempty"`
}

// Excerpt says what was kept of a longer text. Spans are half-open ranges of UTF-8 bytes of the original.
type Excerpt struct {
	// Of is the size of the original, in bytes.
	Of    int64      `json:"of"`
	Spans [][2]int64 `json:"spans"`
}

// Why says how a message was found.
type Why struct {
	// Lists holds the rank of the message in each list that has it, from 1.
	Lists map[string]int64 `json:"lists"`
	// Fused is its rank after fusion, from 1.
	Fused int64 `json:"fused"`
	// Score after fusion, in millionths.
	Score int64 `json:"score"`
	// Parts are the scores of which the lists were made, in millionths.
	Parts map[string]int64 `json:"parts,omitempty"`
}

// Candidate is one entry of the fused ranking.
type Candidate struct {
	ID     string `json:"id"`
	Thread string `json:"thread"`
	Seq    int64  `json:"seq"`
	// Kind is the kind of item that it became, or empty.
	Kind string `json:"kind,omitempty"`
	// Reason for which it is not in the plan, or empty.
	Reason string `json:"reason,omitempty"`
	Tokens int64  `json:"tokens"`
	Why    Why    `json:"why"`
}

// Dropped is a message that is not in the plan.
type Dropped struct {
	ID     string `json:"id"`
	Thread string `json:"thread"`
	Seq    int64  `json:"seq"`
	Reason string `json:"reason"`
	// Of names the message of which it is a duplicate.
	Of string `json:"of,omitempty"`
	// Tokens that it would have cost.
	Tokens int64 `json:"tokens"`
}

// Coverage says where each message of the thread went, as closed ranges of sequence numbers. Each message is in exactly
// one of the three.
type Coverage struct {
	Verbatim   [][2]int64 `json:"verbatim"`
	Summarised [][2]int64 `json:"summarised"`
	Dropped    [][2]int64 `json:"dropped"`
}

// Warning says what the reader of a plan should know.
type Warning struct {
	Code string `json:"code"`
	// Lists that are missing or incomplete, for degraded.
	Lists []string `json:"lists,omitempty"`
	// Reason says why, for degraded: error, refused, bad_vector, model_mismatch or no_vectors.
	Reason string `json:"reason,omitempty"`
	// SharePermille is the share of searched messages that have vectors, for degraded.
	SharePermille *int64 `json:"share_permille,omitempty"`
	// IDs of the messages concerned.
	IDs []string `json:"ids,omitempty"`
}
