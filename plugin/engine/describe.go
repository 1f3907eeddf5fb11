package engine

import (
	"slices"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/text"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

// analysers names how texts become terms: language or script, method, version.
var analysers = []string{"en: snowball english, 1", "han, kana, hangul, thai, lao, khmer, myanmar: bigrams, 1", "other: words, 1"}

// Describe says what this engine is and can do.
func (s *Space) Describe(*abi.DescribeRequest) (*abi.DescribeResponse, *abi.Error) {
	return &abi.DescribeResponse{
		ABI: abi.Version, Engine: abi.EngineVersion, Unicode: text.UnicodeVersion,
		Analysers:  slices.Clone(analysers),
		Profiles:   slices.Clone(tokens.Names[:]),
		Strategies: slices.Clone(abi.Strategies), Ops: slices.Clone(abi.Ops),
		Codes: slices.Clone(abi.Codes), HostCodes: slices.Clone(abi.HostCodes), Refusals: slices.Clone(abi.Refusals),
		Reasons: slices.Clone(abi.Reasons), Warnings: slices.Clone(abi.WarningCodes),
		Limits: abi.Limits{FrameBytes: abi.FrameLimit, Buffers: abi.MaxBuffers, Depth: abi.MaxDepth, IDBytes: abi.MaxID,
			NeedTexts: abi.NeedTexts, NeedTokens: abi.NeedTokens, Rounds: abi.MaxRounds},
		Settings: abi.DefaultSettings(),
	}, nil
}

// Stats counts.
func (s *Space) Stats(*abi.StatsRequest) (*abi.StatsResponse, *abi.Error) {
	out := &abi.StatsResponse{Revision: s.revision, Threads: int64(len(s.threads)), Messages: s.messages, TextBytes: s.textBytes,
		StateBytes: s.stateBytes(), Vectors: s.vectors, VectorBytes: s.vectorBytes, Calls: map[string]int64{}, Usage: s.usage}
	for _, t := range s.order {
		out.Terms += int64(t.index.Terms())
		out.Postings += int64(t.index.Postings())
	}
	for k, n := range s.calls {
		out.Calls[k] = n
	}
	out.OpenNeeds = s.openMessages()
	return out, nil
}

// stateBytes is the engine's own count of its state, the same on every machine.
func (s *Space) stateBytes() int64 {
	n := s.textBytes + s.messages*messageOverhead + s.vectorBytes
	for _, t := range s.order {
		n += t.index.Bytes()
	}
	return n
}
