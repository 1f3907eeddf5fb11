package abi

import "github.com/ctxplan/ctxplan/abi/wire"

// DescribeRequest asks what this engine is and can do. It has no fields.
//
//abi:request
type DescribeRequest struct{}

// DescribeResponse says what this engine is and can do.
//
//abi:response
type DescribeResponse struct {
	// ABI is the version of the contract, major.minor.
	ABI string `json:"abi"`
	// Engine is the version of the engine.
	Engine string `json:"engine"`
	// Unicode is the version of the pinned character data.
	Unicode string `json:"unicode"`
	// Analysers names the analysers of text, by language, and their versions.
	Analysers []string `json:"analysers"`
	// Profiles names the token profiles.
	Profiles []string `json:"profiles"`
	// Strategies names the strategies of plan.
	Strategies []string `json:"strategies"`
	// Ops names the operations.
	Ops []string `json:"ops"`
	// Codes names the error codes of the engine; HostCodes those that come from hosts.
	Codes     []string `json:"codes"`
	HostCodes []string `json:"host_codes"`
	// Refusals names the reasons for which single results are refused.
	Refusals []string `json:"refusals"`
	// Reasons names the reasons for which a message is not in a plan.
	Reasons []string `json:"reasons"`
	// Warnings names the warnings of plans.
	Warnings []string `json:"warnings"`
	// Limits are the fixed limits of this build.
	Limits Limits `json:"limits"`
	// Settings are the defaults of all settings.
	Settings Settings `json:"settings"`
}

// Limits are the fixed limits of a build.
type Limits struct {
	// FrameBytes bounds one request or response.
	FrameBytes int64 `json:"frame_bytes"`
	// Buffers is how many request buffers may be outstanding.
	Buffers int64 `json:"buffers"`
	// Depth is how deeply the JSON of a request may be nested.
	Depth int64 `json:"depth"`
	// IDBytes bounds ids.
	IDBytes int64 `json:"id_bytes"`
	// NeedTexts and NeedTokens bound one embed need.
	NeedTexts  int64 `json:"need_texts"`
	NeedTokens int64 `json:"need_tokens"`
	// Rounds bounds the rounds of needs of one plan.
	Rounds int64 `json:"rounds"`
}

// ConfigureRequest changes settings.
//
//abi:request
type ConfigureRequest struct {
	// Settings is merged into the settings in force by RFC 7396: null resets a setting to its default.
	Settings SettingsPatch `json:"settings"`
	// Now is the time of the call, RFC 3339 with an offset.
	Now string `json:"now,omitempty"`
}

// ConfigureResponse holds the settings in force, defaults included.
//
//abi:response
type ConfigureResponse struct {
	// Revision counts the mutating operations of the space.
	Revision int64 `json:"revision"`
	// Settings are all settings in force.
	Settings Settings `json:"settings"`
}

// AppendRequest adds messages at the end of a thread. All are added or none.
//
//abi:request
type AppendRequest struct {
	// Thread names the conversation; it is made when it does not exist.
	Thread string `json:"thread" maxlen:"512"`
	// Mode is add (the default), upsert or sync. In all three a message with a known id and the same content is left as
	// it is. With other content it is a conflict in mode add, and an edit in the others. In mode sync the request is the
	// whole thread as the caller has it: messages without an id are matched by their content, in order.
	Mode string `json:"mode,omitempty" enum:"add,upsert,sync"`
	// Prune forgets the messages that a sync does not hold.
	Prune bool `json:"prune,omitempty"`
	// Messages in order of arrival, the oldest first.
	Messages []Message `json:"messages" maxitems:"20000"`
	// Now is the time of the call, RFC 3339 with an offset.
	Now string `json:"now,omitempty"`
}

// AppendResponse says what became of each message.
//
//abi:response
type AppendResponse struct {
	Thread string `json:"thread"`
	// Revision counts the mutating operations of the space.
	Revision int64 `json:"revision"`
	// Messages has one entry for each message of the request, in order.
	Messages []Appended `json:"messages"`
	// Absent lists the messages of the thread that a sync did not hold, in order, the first 1,000. With prune they are gone.
	Absent []string `json:"absent,omitempty"`
	// AbsentCount is how many there are.
	AbsentCount int64 `json:"absent_count,omitempty"`
	// Repaired lists the paths of strings in which lone surrogates were replaced by U+FFFD, at most 16.
	Repaired []string `json:"repaired,omitempty"`
}

// Appended is what became of one message.
type Appended struct {
	// ID is the id given, or #<seq> when none was.
	ID string `json:"id"`
	// Seq is the number of the message in its thread, from 1.
	Seq int64 `json:"seq"`
	// Status is added, duplicate (known and the same) or replaced (known, and now with this content).
	Status string `json:"status"`
}

// Message is one entry of a thread, as model APIs know it.
type Message struct {
	// ID is unique in the thread. Without one the engine gives #<seq>.
	ID string `json:"id,omitempty" maxlen:"512"`
	// Role of the author.
	Role string `json:"role" enum:"system,developer,user,assistant,tool"`
	// Name of the speaker, or of the tool.
	Name string `json:"name,omitempty" maxlen:"512"`
	// Time of the message, RFC 3339 with an offset. It is data and never decides the order.
	Time string `json:"time,omitempty"`
	// Content is text or parts. Null, absent, "" and [] are the same.
	Content Content `json:"content,omitempty"`
	// ToolCalls of an assistant message.
	ToolCalls []ToolCall `json:"tool_calls,omitempty" maxitems:"1000"`
	// ToolCallID names the call that a tool message answers.
	ToolCallID string `json:"tool_call_id,omitempty" maxlen:"512"`
	// Error marks a tool result as a failure.
	Error bool `json:"error,omitempty"`
	// Pin keeps the message in every plan, word for word.
	Pin bool `json:"pin,omitempty"`
	// Labels are the caller's own, for scopes. The label session starts a session wherever it changes.
	Labels map[string]string `json:"labels,omitempty"`
	// ACL names who may see the message; without names everybody may.
	ACL []string `json:"acl,omitempty" maxitems:"64"`
	// Partial marks a message that broke off. It may be replaced in any mode by a message with its id.
	Partial bool `json:"partial,omitempty"`
	// Meta is kept byte-equal and never read. At most 4,096 bytes.
	Meta wire.Raw `json:"meta,omitempty"`
}

// ToolCall is one call of a tool by the model.
type ToolCall struct {
	// ID is unique in its turn.
	ID string `json:"id" maxlen:"512"`
	// Name of the tool.
	Name string `json:"name" maxlen:"512"`
	// Arguments is the provider's text, kept byte-equal, valid JSON or not.
	Arguments string `json:"arguments,omitempty"`
}

// Part is one part of the content of a message.
type Part struct {
	// Type decides which of the other fields count.
	Type string `json:"type" enum:"text,thinking,image,json,file,opaque"`
	// Text of a text or thinking part, or the text of a file or an opaque part where it is known.
	Text string `json:"text,omitempty"`
	// Name of a file.
	Name string `json:"name,omitempty" maxlen:"512"`
	// MIME type of an image or file.
	MIME string `json:"mime,omitempty" maxlen:"512"`
	// Bytes is the size of an image or file.
	Bytes int64 `json:"bytes,omitempty" min:"0"`
	// Alt describes an image in words.
	Alt string `json:"alt,omitempty"`
	// URL of an image or file, a data URL for instance. It is kept and never read.
	URL string `json:"url,omitempty"`
	// JSON is the value of a json part, kept byte-equal.
	JSON wire.Raw `json:"json,omitempty"`
	// Provider says whose an opaque part is, or the signature of a thinking part.
	Provider string `json:"provider,omitempty" maxlen:"512"`
	// Data of an opaque part (encrypted reasoning, a compaction item), or the signature of a thinking part. It is kept
	// byte-equal, sent back to its provider, and never searched.
	Data string `json:"data,omitempty"`
	// Tokens that an opaque part costs.
	Tokens int64 `json:"tokens,omitempty" min:"0"`
}

// Need is a model call that the engine asks its host to make.
//
//abi:response
type Need struct {
	// ID is derived from what the need is for.
	ID string `json:"id"`
	// Kind is embed.
	Kind string `json:"kind"`
	// Model to be used.
	Model string `json:"model"`
	// Role is query or passage. The prefix of the model is already in the texts.
	Role string `json:"role"`
	// Texts to be embedded, at most 32 and 8,192 tokens.
	Texts []string `json:"texts"`
	// Dimension that is expected.
	Dimension int64 `json:"dimension"`
	// Thread and Message say what a passage need is for.
	Thread  string `json:"thread,omitempty"`
	Message string `json:"message,omitempty"`
}

// Result answers a need.
//
//abi:request
type Result struct {
	Need string `json:"need" maxlen:"512"`
	// Status is ok, error (try later, nothing changes) or refused (final for that source).
	Status string `json:"status" enum:"ok,error,refused"`
	// Model that was used, when the host knows it; it must be the one of the need.
	Model string `json:"model,omitempty" maxlen:"512"`
	// Vectors, one for each text, in order.
	Vectors *Vectors `json:"vectors,omitempty"`
	// Message says what went wrong.
	Message string `json:"message,omitempty"`
	Usage   *Usage `json:"usage,omitempty"`
}

// Vectors holds vectors one after the other, as base64 of little-endian float32, or of int8 of which only the direction
// matters. Exactly one of the two is given.
type Vectors struct {
	Dimension int64  `json:"dimension" min:"1" max:"8192"`
	F32       []byte `json:"f32,omitempty"`
	I8        []byte `json:"i8,omitempty"`
}

// Usage is what a model call cost.
type Usage struct {
	// Input and Output are tokens as the provider counted them.
	Input  int64 `json:"input,omitempty" min:"0"`
	Output int64 `json:"output,omitempty" min:"0"`
	// MS is how long it took, in milliseconds.
	MS int64 `json:"ms,omitempty" min:"0"`
}

// NeedsRequest asks for the open background needs.
//
//abi:request
type NeedsRequest struct {
	// Kinds of needs wanted, all by default.
	Kinds []string `json:"kinds,omitempty" maxitems:"16"`
	// Max is how many needs are wanted at most, 32 by default.
	Max int64 `json:"max,omitempty" min:"0" max:"1024"`
	// Now is the time of the call, RFC 3339 with an offset.
	Now string `json:"now,omitempty"`
}

// NeedsResponse lists open background needs.
//
//abi:response
type NeedsResponse struct {
	Needs []Need `json:"needs"`
	// Open is how many messages have open needs, in all.
	Open int64 `json:"open"`
}

// FulfilRequest brings results of background needs.
//
//abi:request
type FulfilRequest struct {
	Results []Result `json:"results" maxitems:"1024"`
	// Now is the time of the call, RFC 3339 with an offset.
	Now string `json:"now,omitempty"`
}

// FulfilResponse says what became of each result.
//
//abi:response
type FulfilResponse struct {
	Revision int64 `json:"revision"`
	// Results has one entry for each result of the request, in order.
	Results []Fulfilled `json:"results"`
}

// Fulfilled is what became of one result.
type Fulfilled struct {
	Need string `json:"need"`
	// Status is accepted, refused, or noted for a result that says error.
	Status string `json:"status"`
	// Reason for a refusal.
	Reason string `json:"reason,omitempty"`
}

// AmendRequest changes messages that are there. It has exactly one of edit, pin, unpin, label, close_call and fork.
//
//abi:request
type AmendRequest struct {
	// Thread of the messages; not for a fork, which names its own.
	Thread string `json:"thread,omitempty" maxlen:"512"`
	// Edit gives a message another content. What was derived from it is forgotten.
	Edit *Edit `json:"edit,omitempty"`
	// Pin and Unpin name messages.
	Pin   []string `json:"pin,omitempty" maxitems:"1000"`
	Unpin []string `json:"unpin,omitempty" maxitems:"1000"`
	// Label sets labels of messages.
	Label *LabelEdit `json:"label,omitempty"`
	// CloseCall gives a call that was abandoned a result.
	CloseCall *CloseCall `json:"close_call,omitempty"`
	// Fork makes a thread of the beginning of another one.
	Fork *Fork `json:"fork,omitempty"`
	// Now is the time of the call, RFC 3339 with an offset.
	Now string `json:"now,omitempty"`
}

// Edit gives a message another content and other calls.
type Edit struct {
	ID      string  `json:"id" maxlen:"512"`
	Content Content `json:"content,omitempty"`
	// ToolCalls take the place of those of the message; without them they stay.
	ToolCalls []ToolCall `json:"tool_calls,omitempty" maxitems:"1000"`
}

// LabelEdit sets labels; an empty value takes a label away.
type LabelEdit struct {
	IDs    []string          `json:"ids" maxitems:"1000"`
	Labels map[string]string `json:"labels"`
}

// CloseCall gives an open call a result, which is appended to the thread.
type CloseCall struct {
	// ID of the call.
	ID string `json:"id" maxlen:"512"`
	// Result for the model to read, for instance that the call was abandoned.
	Result string `json:"result,omitempty"`
	// Error marks it as a failure.
	Error bool `json:"error,omitempty"`
}

// Fork makes thread To of the messages of thread From up to and with message At.
type Fork struct {
	From string `json:"from" maxlen:"512"`
	At   string `json:"at" maxlen:"512"`
	To   string `json:"to" maxlen:"512"`
}

// AmendResponse says which messages were changed.
//
//abi:response
type AmendResponse struct {
	Revision int64  `json:"revision"`
	Thread   string `json:"thread"`
	// Messages that were changed or made, in order.
	Messages []Appended `json:"messages"`
	// Repaired lists the paths of strings in which lone surrogates were replaced by U+FFFD, at most 16.
	Repaired []string `json:"repaired,omitempty"`
}

// ForgetRequest names what is to be forgotten: messages of a thread, or its messages of a time, or whole threads.
//
//abi:request
type ForgetRequest struct {
	Thread string `json:"thread,omitempty" maxlen:"512"`
	// Messages of the thread, by id. Those that are not there are no error.
	Messages []string `json:"messages,omitempty" maxitems:"20000"`
	// Since and Until bound the time of messages of the thread: since ≤ time < until, RFC 3339.
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
	// Threads that are forgotten whole.
	Threads []string `json:"threads,omitempty" maxitems:"10000"`
	// DryRun says what would be forgotten and changes nothing.
	DryRun bool `json:"dry_run,omitempty"`
	// Now is the time of the call, RFC 3339 with an offset.
	Now string `json:"now,omitempty"`
}

// ForgetResponse is the receipt: everything that was removed.
//
//abi:response
type ForgetResponse struct {
	Revision int64 `json:"revision"`
	DryRun   bool  `json:"dry_run"`
	// Messages is how many messages were removed.
	Messages int64 `json:"messages"`
	// Removed lists them, the first 1,000.
	Removed []Removed `json:"removed"`
	// Threads that were removed whole.
	Threads []string `json:"threads,omitempty"`
	// Vectors is how many vectors were removed with them.
	Vectors int64 `json:"vectors"`
	// Outside is what the engine can't reach and the host has to purge.
	Outside Outside `json:"outside"`
}

// Removed is a message that was forgotten.
type Removed struct {
	Thread string `json:"thread"`
	ID     string `json:"id"`
	Seq    int64  `json:"seq"`
}

// Outside is what the host has to purge after forgetting.
type Outside struct {
	// Log says that records which the host keeps hold what was forgotten: it rewrites them from an export or snapshot.
	Log bool `json:"log"`
	// Snapshots says the same of snapshots.
	Snapshots bool `json:"snapshots"`
	// Plans says that plans which were handed out may hold it.
	Plans bool `json:"plans"`
	// Needs lists the needs whose texts and results caches of the host may hold, the first 1,000.
	Needs []string `json:"needs,omitempty"`
}

// ReadRequest asks for threads, or for the messages of one thread.
//
//abi:request
type ReadRequest struct {
	// Thread to read. Without one the threads are listed.
	Thread string `json:"thread,omitempty" maxlen:"512"`
	// From is the first sequence number wanted, or the number of the first thread in the list, from 1.
	From int64 `json:"from,omitempty" min:"0"`
	// Limit is how many are wanted at most, 100 by default, 1,000 at most.
	Limit int64 `json:"limit,omitempty" min:"0" max:"1000"`
	// IDs asks for these messages only.
	IDs []string `json:"ids,omitempty" maxitems:"1000"`
}

// ReadResponse holds threads or messages.
//
//abi:response
type ReadResponse struct {
	Revision int64         `json:"revision"`
	Threads  []ThreadInfo  `json:"threads,omitempty"`
	Messages []ReadMessage `json:"messages,omitempty"`
	// Next is the from of the next page, when there is one.
	Next int64 `json:"next,omitempty"`
}

// ThreadInfo describes one thread.
type ThreadInfo struct {
	Thread string `json:"thread"`
	// Messages is how many it holds; Turns how many turns.
	Messages int64 `json:"messages"`
	Turns    int64 `json:"turns"`
	// Tokens is what the whole thread costs by the profile in force.
	Tokens int64 `json:"tokens"`
	// First and Last are the times of the first and the last message that have one.
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`
}

// ReadMessage is a stored message and what the engine knows of it.
type ReadMessage struct {
	Seq     int64   `json:"seq"`
	Message Message `json:"message"`
	// Tokens by the profile in force.
	Tokens int64 `json:"tokens"`
	// Turn is the number of its turn, from 1; 0 before the first user message.
	Turn int64 `json:"turn"`
	// Open says that it belongs to a group whose results are not all there.
	Open bool `json:"open,omitempty"`
	// Vectors says that its vectors are there.
	Vectors bool `json:"vectors,omitempty"`
	// Edited counts how often it was given another content.
	Edited int64 `json:"edited,omitempty"`
	// HiddenChars says that it holds characters that hide text from people.
	HiddenChars bool `json:"hidden_chars,omitempty"`
}

// StatsRequest asks for sizes and counts. It has no fields.
//
//abi:request
type StatsRequest struct{}

// StatsResponse holds sizes and counts.
//
//abi:response
type StatsResponse struct {
	Revision int64 `json:"revision"`
	Threads  int64 `json:"threads"`
	Messages int64 `json:"messages"`
	// TextBytes is the size of all stored texts.
	TextBytes int64 `json:"text_bytes"`
	// StateBytes is the engine's own count of its state; it is the same on every machine.
	StateBytes int64 `json:"state_bytes"`
	// Terms and Postings of the lexical index.
	Terms    int64 `json:"terms"`
	Postings int64 `json:"postings"`
	// Vectors stored, and the bytes they take.
	Vectors     int64 `json:"vectors"`
	VectorBytes int64 `json:"vector_bytes"`
	// OpenNeeds is how many messages have open background needs.
	OpenNeeds int64 `json:"open_needs"`
	// Calls counts the results that came in, by kind and status (embed_ok, embed_error, embed_refused).
	Calls map[string]int64 `json:"calls"`
	// Usage is the sum of what those calls cost.
	Usage Usage `json:"usage"`
}

// ErrorResponse is the response of an op that failed. The state is as it was.
//
//abi:response
type ErrorResponse struct {
	Error Error `json:"error"`
}

// Error says what went wrong: code for programs, message for people, path for both.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Path of the field in the request, empty for the request as a whole.
	Path string `json:"path"`
	// Retryable says that the same request may succeed later.
	Retryable bool `json:"retryable"`
	// Details by code.
	Details *ErrorDetails `json:"details,omitempty"`
}

// ErrorDetails holds the numbers of an error.
type ErrorDetails struct {
	// Need and Have, for budget_too_small, in tokens.
	Need *int64 `json:"need,omitempty"`
	Have *int64 `json:"have,omitempty"`
	// Limit, for too_large, beside have.
	Limit *int64 `json:"limit,omitempty"`
	// Pinned names what has to be in, for budget_too_small.
	Pinned []string `json:"pinned,omitempty"`
}
