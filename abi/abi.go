package abi

//go:generate go run ./internal/gen
//go:generate go run ./internal/errors

// Major and Minor are the version of the ABI. While Major is 0 anything may change between minors; from 1.0 on there
// are only additions.
const (
	Major = 0
	Minor = 1
)

// Version is Major.Minor as text.
const Version = "0.1"

// EngineVersion is the version of the engine that stands in records and in describe.
const EngineVersion = "0.1.0"

// Limits that both sides check before they allocate.
const (
	// FrameLimit bounds a request and a response, in bytes.
	FrameLimit = 16 << 20
	// MaxBuffers is how many request buffers may be outstanding in one instance.
	MaxBuffers = 4
	// MaxDepth is how deeply the JSON of a request may be nested.
	MaxDepth = 64
	// MaxID bounds thread, message and tool-call ids, in bytes.
	MaxID = 512
	// MaxName bounds names of speakers and tools, in bytes.
	MaxName = 512
	// MaxInteger is the largest integer in requests and responses: 2^53 - 1, so that every language reads it exactly.
	MaxInteger = 1<<53 - 1
	// NeedTexts and NeedTokens bound one embed need.
	NeedTexts  = 32
	NeedTokens = 8192
	// MetaBytes bounds the meta of a message.
	MetaBytes = 4096
	// MaxRounds is how many rounds of needs one plan may take.
	MaxRounds = 4
)

// Op names an operation. The wasm export is ctxplan_<op>.
const (
	OpDescribe  = "describe"
	OpConfigure = "configure"
	OpAppend    = "append"
	OpPlan      = "plan"
	OpNeeds     = "needs"
	OpFulfil    = "fulfil"
	OpRead      = "read"
	OpStats     = "stats"
	OpAmend     = "amend"
	OpForget    = "forget"
	OpExport    = "export"
	OpSnapshot  = "snapshot"
	OpRestore   = "restore"
	OpRender    = "render"
)

// Ops lists the operations in the order of the exports. It must not be changed by callers.
var Ops = []string{OpDescribe, OpConfigure, OpAppend, OpPlan, OpNeeds, OpFulfil, OpRead, OpStats, OpAmend, OpForget,
	OpExport, OpSnapshot, OpRestore, OpRender}

// Mutating reports whether op changes the state, so that a host has to keep its request.
func Mutating(op string) bool {
	return op == OpConfigure || op == OpAppend || op == OpFulfil || op == OpAmend || op == OpForget || op == OpRestore
}

// Error codes, a closed list. Those in HostCodes come from hosts and never from the engine.
const (
	CodeInvalidRequest     = "invalid_request"
	CodeUnknownField       = "unknown_field"
	CodeUnsupportedVersion = "unsupported_version"
	CodeNotImplemented     = "not_implemented"
	CodeNotFound           = "not_found"
	CodeConflict           = "conflict"
	CodeStale              = "stale"
	CodeBudgetTooSmall     = "budget_too_small"
	CodeTooLarge           = "too_large"
	CodeBadVector          = "bad_vector"
	CodeModelMismatch      = "model_mismatch"
	CodeCorruptSnapshot    = "corrupt_snapshot"
	CodeInternal           = "internal"

	CodeFenced      = "fenced"
	CodeUnavailable = "unavailable"
	CodeDeadline    = "deadline"
	CodeForbidden   = "forbidden"
	CodeTrapped     = "trapped"
)

// Codes lists the error codes of the engine, HostCodes those of hosts.
var (
	Codes = []string{CodeInvalidRequest, CodeUnknownField, CodeUnsupportedVersion, CodeNotImplemented, CodeNotFound,
		CodeConflict, CodeStale, CodeBudgetTooSmall, CodeTooLarge, CodeBadVector, CodeModelMismatch, CodeCorruptSnapshot,
		CodeInternal}
	HostCodes = []string{CodeFenced, CodeUnavailable, CodeDeadline, CodeForbidden, CodeTrapped}
)

// Refusals of single results, a closed list.
const (
	RefusedEmpty       = "empty"
	RefusedStale       = "stale"
	RefusedDuplicate   = "duplicate"
	RefusedUnknownNeed = "unknown_need"
	// RefusedBadVector and RefusedModelMismatch are error codes that also stand for a single result.
	RefusedBadVector     = CodeBadVector
	RefusedModelMismatch = CodeModelMismatch
)

// Refusals lists the reasons for which single results are refused.
var Refusals = []string{RefusedEmpty, RefusedStale, RefusedDuplicate, RefusedUnknownNeed, RefusedBadVector, RefusedModelMismatch}

// Reasons for which a message is not in a plan, a closed list.
const (
	DroppedOverBudget  = "over_budget"
	DroppedTooLarge    = "too_large"
	DroppedBelowRank   = "below_rank"
	DroppedDuplicateOf = "duplicate_of"
	DroppedOutOfScope  = "out_of_scope"
	DroppedOpenGroup   = "open_group"
)

// Reasons lists the reasons for dropping.
var Reasons = []string{DroppedOverBudget, DroppedTooLarge, DroppedBelowRank, DroppedDuplicateOf, DroppedOutOfScope, DroppedOpenGroup}

// Warnings of a plan, a closed list.
const (
	WarnDegraded      = "degraded"
	WarnNoEvidence    = "no_evidence"
	WarnPinnedLeftOut = "pinned_left_out"
	WarnHiddenChars   = "hidden_chars"
)

// WarningCodes lists the warnings.
var WarningCodes = []string{WarnDegraded, WarnNoEvidence, WarnPinnedLeftOut, WarnHiddenChars}

// Roles of messages.
const (
	RoleSystem    = "system"
	RoleDeveloper = "developer"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Strategies of plan.
const (
	StrategyAuto     = "auto"
	StrategyFused    = "fused"
	StrategyTruncate = "truncate"
)

// Strategies lists the strategies of plan.
var Strategies = []string{StrategyAuto, StrategyFused, StrategyTruncate}

// Kinds of plan items, in the order in which they stand in a plan.
const (
	KindSystem      = "system"
	KindInstruction = "instruction"
	KindPinned      = "pinned"
	KindRecent      = "recent"
	KindRetrieved   = "retrieved"
	KindEvidence    = "evidence"
	KindLive        = "live"
	KindInput       = "input"
)

// Kinds of needs.
const NeedEmbed = "embed"

// Status of results.
const (
	StatusOK      = "ok"
	StatusError   = "error"
	StatusRefused = "refused"
)
