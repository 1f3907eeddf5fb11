package abi

// Lists of codes that have an explanation.
const (
	ListErrors     = "error"
	ListHostErrors = "host error"
	ListRefusals   = "refusal"
	ListReasons    = "reason"
	ListWarnings   = "warning"
	ListDegraded   = "degraded"
)

// DegradedNoVectors is the reason of a warning degraded when searched messages have no vectors yet.
const DegradedNoVectors = "no_vectors"

// DegradedReasons lists the reasons of the warning degraded.
var DegradedReasons = []string{StatusError, StatusRefused, RefusedBadVector, RefusedModelMismatch, DegradedNoVectors}

// Explanation says for people what a code means and what to do about it.
type Explanation struct {
	// List is the closed list to which the code belongs. A code may be in several.
	List string
	Code string
	// Meaning is what has happened, Action what the program or its author does now.
	Meaning, Action string
	// Retry says when the same request may succeed; empty when it never does. An error that may succeed on its own,
	// without anybody changing anything, has retryable set; those are told by Later.
	Retry string
	// Later says that the same request may succeed later on its own.
	Later bool
}

// Explanations has an entry for each code of each closed list, in the order of the lists. It must not be changed by
// callers.
var Explanations = []Explanation{
	{List: ListErrors, Code: CodeInvalidRequest,
		Meaning: "The request is not what the types say: broken JSON, a missing field, a wrong type, a value out of its range, or fields that exclude each other.",
		Action:  "Mend the field that `path` names; `message` says what was expected there. It is a fault of the program that made the request."},
	{List: ListErrors, Code: CodeUnknownField,
		Meaning: "The request has a field that this op does not know. Often it is a spelling mistake, or a field of a newer version.",
		Action:  "Take out the field that `path` names, or use an engine that knows it: `describe` has its version."},
	{List: ListErrors, Code: CodeUnsupportedVersion,
		Meaning: "An export, a snapshot or a log was written by a newer version than this engine, or a module speaks another version of the ABI than its host. The data is untouched.",
		Action:  "Use an engine of at least the version that wrote the data; keep the data.",
		Retry:   "with a newer engine"},
	{List: ListErrors, Code: CodeNotImplemented,
		Meaning: "This engine has no op of that name.",
		Action:  "Look at `ops` of `describe`. Either the name is wrong or the engine is older than the program.",
		Retry:   "with a newer engine"},
	{List: ListErrors, Code: CodeNotFound,
		Meaning: "A thread, message or call that the request names is not there. What was forgotten counts as not there, and so does what the scope hides.",
		Action:  "Look at the id that `path` names; `read` lists the threads and messages that are there.",
		Retry:   "after it was appended"},
	{List: ListErrors, Code: CodeConflict,
		Meaning: "An id is taken by other content: a message, the thread of a fork, or, for `restore`, a space that is not empty.",
		Action:  "For a message that was meant to change use mode `upsert` or `amend`; otherwise give it another id. Restore into a fresh space."},
	{List: ListErrors, Code: CodeStale,
		Meaning: "What the request builds on is no longer so: a plan to be rendered is older than the last forgetting, or the space has changed between two pages of an export or a snapshot.",
		Action:  "Begin anew: plan again (with `render` in the same request it can't become stale), or ask for the first page again.",
		Retry:   "from the first step on"},
	{List: ListErrors, Code: CodeBudgetTooSmall,
		Meaning: "What has to be in the plan (system, instructions, the newest user message, open calls, input) costs more than there is room for. `details` has `need` and `have`, in tokens, and the ids in `pinned`.",
		Action:  "Give at least `need` tokens, ask for less output, or shorten what the host brings. Nothing is ever left out silently in its place.",
		Retry:   "with a larger budget"},
	{List: ListErrors, Code: CodeTooLarge,
		Meaning: "A limit would be passed: the size of a frame, of a message, the number of messages, or the size of the space. `details` has `have` and `limit`.",
		Action:  "Send less at once, raise the setting under `limits`, or make room with `forget`. A full space can still be read, planned for, exported and forgotten from.",
		Retry:   "after making room"},
	{List: ListErrors, Code: CodeBadVector,
		Meaning: "A vector is not finite, has no direction, or is not as long as its dimension says. In this version it only refuses single results.",
		Action:  "See the refusal of the same name."},
	{List: ListErrors, Code: CodeModelMismatch,
		Meaning: "A vector is of another model or dimension than the settings name. In this version it only refuses single results.",
		Action:  "See the refusal of the same name."},
	{List: ListErrors, Code: CodeCorruptSnapshot,
		Meaning: "An export, a snapshot or a log is damaged, cut off, or its pages are not in order. The space is empty, as before.",
		Action:  "Restore again from the first page; if that fails too, from an older copy. `message` says where the data breaks off."},
	{List: ListErrors, Code: CodeInternal,
		Meaning: "A fault of the engine. The op has not happened, and the instance answers every further request with this code.",
		Action:  "Throw the instance away and rebuild the space; package `host` does so by itself. Report it with `message`."},

	{List: ListHostErrors, Code: CodeFenced,
		Meaning: "Another host has written to this space since this one read it, so that its state is out of date.",
		Action:  "Load the space anew and make the request again.",
		Retry:   "after loading the space anew"},
	{List: ListHostErrors, Code: CodeUnavailable,
		Meaning: "There is no engine to answer: an instance could not be started or rebuilt, the log of the program could not take the record, or the space or runtime is closed. The space is as it was before the call, unless `message` says that the change has happened.",
		Action:  "Look at the cause. When `retryable` is false it was closed, by the program itself; open it again.",
		Retry:   "later, unless it was closed", Later: true},
	{List: ListHostErrors, Code: CodeDeadline,
		Meaning: "The call was stopped by its deadline or cancelled by its caller. The space is as it was before; the next call waits until it is rebuilt.",
		Action:  "Give it more time, or send less at once.",
		Retry:   "with more time", Later: true},
	{List: ListHostErrors, Code: CodeForbidden,
		Meaning: "The caller may not do this with this space.",
		Action:  "Ask for the right, or use another space."},
	{List: ListHostErrors, Code: CodeTrapped,
		Meaning: "The engine broke down or reached the ceiling of its memory; `message` says which. The space is as it was before, rebuilt in a fresh instance.",
		Action:  "For memory, raise the ceiling or send less at once. Anything else is a fault of the engine: report it with what the module wrote to its standard error."},

	{List: ListRefusals, Code: RefusedEmpty,
		Meaning: "The result has no text.",
		Action:  "Nothing: the need comes up again. If it happens often, look at the model."},
	{List: ListRefusals, Code: RefusedStale,
		Meaning: "The message was edited or forgotten, or the model was changed, after the need was handed out.",
		Action:  "Nothing: where a vector is still wanted, `needs` has a new need for it.",
		Retry:   "with the new need"},
	{List: ListRefusals, Code: RefusedDuplicate,
		Meaning: "The need was answered before. The first answer stands.",
		Action:  "Nothing. Two workers have done the same work; leases are the business of the host."},
	{List: ListRefusals, Code: RefusedUnknownNeed,
		Meaning: "The id is none that this space can have given.",
		Action:  "Look whether the result went to the right space, and whether the id came through unchanged."},
	{List: ListRefusals, Code: RefusedBadVector,
		Meaning: "There are not as many vectors as texts, or one of them is not finite or has no direction.",
		Action:  "Look at what the model gave. The need stays open.",
		Retry:   "with good vectors"},
	{List: ListRefusals, Code: RefusedModelMismatch,
		Meaning: "The vectors are of another model or dimension than the settings name.",
		Action:  "Use the model that the need names, or configure the one in use; vectors of two models are never mixed.",
		Retry:   "with the model of the need"},

	{List: ListReasons, Code: DroppedOverBudget,
		Meaning: "It was a candidate or pinned, and what stands before it in the ranking took the room. With strategy `truncate`: it is older than what fits.",
		Action:  "Give more tokens, if it should have been in."},
	{List: ListReasons, Code: DroppedTooLarge,
		Meaning: "It was a candidate or a recent turn, and it alone costs more than all the room that there was; if an excerpt was tried, none that is worth anything fitted either.",
		Action:  "Give more tokens, or store long texts in several messages."},
	{List: ListReasons, Code: DroppedBelowRank,
		Meaning: "It is not among the best for this question.",
		Action:  "Nothing, in most cases. `explain` shows the ranking; `retrieval.candidates` and `retrieval.min_share` decide how far it reaches."},
	{List: ListReasons, Code: DroppedDuplicateOf,
		Meaning: "The same speaker says the same words in the message that `of` names, which ranks higher.",
		Action:  "Nothing."},
	{List: ListReasons, Code: DroppedOutOfScope,
		Meaning: "The scope of the request (threads, labels, times) or the roles that are searched leave it out. What an acl hides is not counted here or anywhere.",
		Action:  "Widen `scope` or `retrieval.roles`, if it should have been in."},
	{List: ListReasons, Code: DroppedOpenGroup,
		Meaning: "It belongs to a call that got no result before the next user message, or it is a result whose call is not there. Providers refuse both, so they are not sent as messages; the words of such a call can still be quoted.",
		Action:  "Append the result when it comes, or give the call one with `amend` (`close_call`)."},

	{List: ListWarnings, Code: WarnDegraded,
		Meaning: "A list of the ranking that was configured is missing or incomplete. `lists` names it, `reason` says why, `share_permille` how many of the searched messages it covers.",
		Action:  "The plan is good without it, and better with it. See the reason, below."},
	{List: ListWarnings, Code: WarnNoEvidence,
		Meaning: "No searched message holds a rare word of the question. The answer may not be in the conversation at all.",
		Action:  "Let the model say that it does not know, or widen the scope."},
	{List: ListWarnings, Code: WarnPinnedLeftOut,
		Meaning: "There was no room for the pinned messages in `ids`.",
		Action:  "Give more tokens, or unpin what is not needed."},
	{List: ListWarnings, Code: WarnHiddenChars,
		Meaning: "The messages in `ids`, which are in the plan, hold characters that hide text from people: of zero width, tags, or overrides of direction.",
		Action:  "Look at where these messages come from before you trust them. The text is unchanged."},

	{List: ListDegraded, Code: StatusError,
		Meaning: "The model call for the question failed, or the host has no model for it.",
		Action:  "Look at the model; plan again when it answers.",
		Retry:   "when the model answers", Later: true},
	{List: ListDegraded, Code: StatusRefused,
		Meaning: "The model refused the question.",
		Action:  "Nothing, or another model."},
	{List: ListDegraded, Code: RefusedBadVector,
		Meaning: "The vector of the question is not finite, has no direction, or is not as long as its dimension says.",
		Action:  "Look at what the model gave.",
		Retry:   "with a good vector"},
	{List: ListDegraded, Code: RefusedModelMismatch,
		Meaning: "The vector of the question is of another model or dimension than the settings name.",
		Action:  "Use the model that the need names.",
		Retry:   "with the model of the need"},
	{List: ListDegraded, Code: DegradedNoVectors,
		Meaning: "Some of the searched messages have no vector yet.",
		Action:  "Run the background work (`needs`, `fulfil`; in package `host` `Work`).",
		Retry:   "after the background work", Later: true},
}
