package abi

import "github.com/ctxplan/ctxplan/abi/wire"

// Settings of a space. Every setting has a default.
//
//abi:merge
type Settings struct {
	Recent    RecentSettings    `json:"recent"`
	Retrieval RetrievalSettings `json:"retrieval"`
	Tokens    TokenSettings     `json:"tokens"`
	Models    ModelSettings     `json:"models"`
	Limits    LimitSettings     `json:"limits"`
}

// RecentSettings decide how much of the newest turns stays word for word.
//
//abi:merge
type RecentSettings struct {
	// Turns before the live turn that may stay.
	Turns int64 `json:"turns" min:"0" max:"100000"`
	// Share of the history that recent turns and the live turn may take before the live turn alone needs more.
	Share wire.Fixed `json:"share" min:"0" max:"1"`
	// StepTokens is the size above which a turn is cut into steps at group borders.
	StepTokens int64 `json:"step_tokens" min:"100" max:"1000000"`
}

// RetrievalSettings decide how old messages are found.
//
//abi:merge
type RetrievalSettings struct {
	// Fusion of the ranked lists: rrf (reciprocal rank fusion) or score (normalised scores added).
	Fusion string `json:"fusion" enum:"rrf,score"`
	// K is the constant of reciprocal rank fusion: weight / (k + rank). It plays no part in fusion by score.
	K int64 `json:"k" min:"0" max:"1000000"`
	// Candidates is how many of the fused ranking are listed as dropped when they are not in the plan.
	Candidates int64 `json:"candidates" min:"0" max:"10000"`
	// MinShare of the history is kept for retrieved text when there are candidates.
	MinShare wire.Fixed `json:"min_share" min:"0" max:"1"`
	// Roles whose messages are searched.
	Roles []string `json:"roles" maxitems:"16"`
	// Weights of the lists.
	Weights ListWeights `json:"weights"`
	// SessionGap is the pause that ends a session: a number and ms, s, m, h or d.
	SessionGap string `json:"session_gap" maxlen:"32"`
}

// ListWeights are the weights of the ranked lists in the fusion.
//
//abi:merge
type ListWeights struct {
	Lexical wire.Fixed `json:"lexical" min:"0" max:"1000"`
	Dense   wire.Fixed `json:"dense" min:"0" max:"1000"`
}

// TokenSettings decide how tokens are counted.
//
//abi:merge
type TokenSettings struct {
	// Profile is generic or chars4.
	Profile string `json:"profile" enum:"generic,chars4"`
}

// ModelSettings name the models that the host can call. Without a model the engine does without.
//
//abi:merge
type ModelSettings struct {
	Embed *EmbedModel `json:"embed"`
}

// EmbedModel describes an embedding model.
//
//abi:merge
type EmbedModel struct {
	// Model is its id. Vectors of different models are never compared.
	Model string `json:"model" maxlen:"512"`
	// Dimension of its vectors.
	Dimension int64 `json:"dimension" min:"1" max:"8192"`
	// QueryPrefix and PassagePrefix are put before the texts.
	QueryPrefix   string `json:"query_prefix" maxlen:"1024"`
	PassagePrefix string `json:"passage_prefix" maxlen:"1024"`
	// MaxTokens of one text; longer ones are cut into pieces of whole sentences.
	MaxTokens int64 `json:"max_tokens" min:"16" max:"8192"`
}

// LimitSettings bound what a space takes.
//
//abi:merge
type LimitSettings struct {
	// Messages in the space.
	Messages int64 `json:"messages" min:"1" max:"10000000"`
	// StateBytes bounds the state, by the engine's own count (state_bytes in stats). Above it append, fulfil and the like
	// answer too_large, and everything else still works. 0 is 40 % of the memory maximum of the module, 429,496,728.
	StateBytes int64 `json:"state_bytes" min:"0"`
	// MessageBytes bounds one message: its texts, calls, names and ids.
	MessageBytes int64 `json:"message_bytes" min:"1" max:"16777216"`
}

// DefaultSettings returns the default of every setting.
func DefaultSettings() Settings {
	return Settings{
		Recent: RecentSettings{Turns: 8, Share: wire.Fixed(500_000), StepTokens: 2000},
		Retrieval: RetrievalSettings{
			Fusion: "score", K: 60, Candidates: 60, MinShare: wire.Fixed(300_000),
			Roles:      []string{RoleUser, RoleAssistant, RoleTool},
			Weights:    ListWeights{Lexical: wire.Fixed(3_000_000), Dense: wire.Fixed(1_000_000)},
			SessionGap: "3h",
		},
		Tokens: TokenSettings{Profile: "generic"},
		Limits: LimitSettings{Messages: 200_000, MessageBytes: 1 << 20},
	}
}

// defaultEmbedModel is what a patch starts from when no model was set.
func defaultEmbedModel() EmbedModel {
	return EmbedModel{MaxTokens: 128}
}
