package abi

import "github.com/ctxplan/ctxplan/abi/wire"

// LogFormat is the version of the form of exports, snapshots and logs.
const LogFormat = 1

// Kinds of pages.
const (
	PageExport   = "export"
	PageSnapshot = "snapshot"
)

// Limits of pages, in bytes.
const (
	PageBytes    = 4 << 20
	MaxPageBytes = 8 << 20
)

// ExportRequest asks for a page of the export: JSON Lines, each of them a LogLine, that rebuild this state.
//
//abi:request
type ExportRequest struct {
	// From is where the page begins, in bytes from the beginning of the export: the next of the page before, 0 for the
	// first.
	From int64 `json:"from,omitempty" min:"0"`
	// LimitBytes bounds the page, 4 MiB by default. Pages end with a line where they can.
	LimitBytes int64 `json:"limit_bytes,omitempty" min:"0" max:"8388608"`
	// Revision of the first page: when the space has changed since, the pages do not fit together, and the op is stale.
	Revision int64 `json:"revision,omitempty" min:"0"`
}

// SnapshotRequest asks for a page of the snapshot, a binary image of this state.
//
//abi:request
type SnapshotRequest struct {
	// From is where the page begins, in bytes from the beginning of the image: the next of the page before, 0 for the
	// first.
	From int64 `json:"from,omitempty" min:"0"`
	// LimitBytes bounds the page, 4 MiB by default.
	LimitBytes int64 `json:"limit_bytes,omitempty" min:"0" max:"8388608"`
	// Revision of the first page: when the space has changed since, the pages do not fit together, and the op is stale.
	Revision int64 `json:"revision,omitempty" min:"0"`
}

// Page is the header line of a page, which a line feed and the bytes of the page follow. Export and snapshot answer with
// it and restore takes it, so that a page can be passed on as it is.
//
//abi:request
//abi:response
type Page struct {
	// Kind of the page, for the reader; restore sees by itself what it is given.
	Kind string `json:"kind,omitempty" enum:"export,snapshot"`
	// Format, Engine and ABI are the versions of what wrote the page.
	Format int64  `json:"format,omitempty" min:"0"`
	Engine string `json:"engine,omitempty" maxlen:"64"`
	ABI    string `json:"abi,omitempty" maxlen:"64"`
	// Revision of the state.
	Revision int64 `json:"revision,omitempty" min:"0"`
	// From is where the page begins, in bytes.
	From int64 `json:"from" min:"0"`
	// Next is where the next page begins. The last page has none.
	Next int64 `json:"next,omitempty" min:"0"`
	// Bytes is how many bytes the page has. Restore checks it when it is given.
	Bytes *int64 `json:"bytes,omitempty" min:"0"`
	// SHA256 of these bytes in hexadecimal digits, for restore to check. Export and snapshot leave it out, since what they
	// give ends with the SHA-256 of all pages.
	SHA256 string `json:"sha256,omitempty" maxlen:"64"`
}

// RestoreResponse says how far a restore has come.
//
//abi:response
type RestoreResponse struct {
	// Revision of the space, 0 until it is done.
	Revision int64 `json:"revision"`
	// Received bytes, in all pages.
	Received int64 `json:"received"`
	// Done says that this was the last page, and that the space now holds the state.
	Done bool `json:"done"`
	// Records is how many records were replayed or applied so far.
	Records int64 `json:"records,omitempty"`
}

// LogLine is a line of an export or a log: header, thread, message or end, or a record. An export is a header, each thread
// followed by its messages, and an end. A log is an export, or none, and the records after it, in order.
//
//abi:request
//abi:response
type LogLine struct {
	Header  *LogHeader  `json:"header,omitempty"`
	Thread  *LogThread  `json:"thread,omitempty"`
	Message *LogMessage `json:"message,omitempty"`
	End     *LogEnd     `json:"end,omitempty"`
	// Seq, Engine, Op, In, InText and Out make a record, see Record.
	Seq    int64    `json:"seq,omitempty" min:"1"`
	Engine string   `json:"engine,omitempty" maxlen:"64"`
	Op     string   `json:"op,omitempty" maxlen:"64"`
	In     wire.Raw `json:"in,omitempty"`
	InText string   `json:"in_text,omitempty"`
	Out    wire.Raw `json:"out,omitempty"`
}

// LogHeader begins an export.
type LogHeader struct {
	// Format, Engine and ABI are the versions of what wrote it. What a newer minor version of the ABI wrote is refused.
	Format int64  `json:"format"`
	Engine string `json:"engine" maxlen:"64"`
	ABI    string `json:"abi" maxlen:"64"`
	// Revision of the state, and of what was forgotten last, 0 when nothing was.
	Revision  int64 `json:"revision" min:"0"`
	Forgotten int64 `json:"forgotten,omitempty" min:"0"`
	// Settings in force, all of them.
	Settings SettingsPatch `json:"settings"`
	// Models that have been in force, as the settings models.embed, in the order in which they came. Vectors name theirs by
	// its place, from 1.
	Models []SettingsPatch `json:"models,omitempty"`
	// Calls and Usage are the counters of stats.
	Calls map[string]int64 `json:"calls,omitempty"`
	Usage *Usage           `json:"usage,omitempty"`
	// Threads is how many thread lines follow.
	Threads int64 `json:"threads" min:"0"`
}

// LogThread begins a thread. Its place among the threads is that of its line.
type LogThread struct {
	// ID of the thread, none when it was forgotten and only its place is left.
	ID string `json:"id,omitempty" maxlen:"512"`
	// Next is the sequence number that its next message gets.
	Next int64 `json:"next" min:"1"`
}

// LogMessage is a message of the thread before it. Sequence numbers rise; those left out belong to forgotten messages.
type LogMessage struct {
	Seq int64 `json:"seq" min:"1"`
	// Edited counts how often it was given another content.
	Edited int64 `json:"edited,omitempty" min:"0"`
	// Message with its id; Text is the same as a string, for one whose meta or JSON parts hold line breaks.
	Message *Message `json:"message,omitempty"`
	Text    string   `json:"text,omitempty"`
	// Vectors of the message.
	Vectors *LogVectors `json:"vectors,omitempty"`
}

// LogVectors are the stored vectors of a message.
type LogVectors struct {
	// Model is the place of the model in the header, from 1.
	Model int64 `json:"model" min:"1"`
	// Dimension of each.
	Dimension int64 `json:"dimension,omitempty" min:"0" max:"8192"`
	// Scales of the pieces in units of 2^-24; 0 for one that is still missing, -1 for one that the model refused.
	Scales []int64 `json:"scales,omitempty"`
	// I8 holds the components of those that are there, one after the other.
	I8 []byte `json:"i8,omitempty"`
}

// LogEnd ends an export.
type LogEnd struct {
	// Lines is how many lines stand before it.
	Lines int64 `json:"lines" min:"0"`
	// SHA256 of all of them, line feeds included, in hexadecimal digits.
	SHA256 string `json:"sha256" maxlen:"64"`
}

// Record is a request that changed a space, and its outcome.
//
// A host keeps one for each op for which Mutating holds and whose response is no error and has a higher revision than the
// one before; not for restore, which begins from a log.
type Record struct {
	// Seq is the revision that the op led to.
	Seq int64
	// Engine is the version of the engine that answered.
	Engine string
	// Op is the name of the op, In the request and Out the response, byte for byte.
	Op      string
	In, Out []byte
}

// AppendWire writes the record as one line of a log, without the line feed.
func (r *Record) AppendWire(dst []byte) []byte {
	l := LogLine{Seq: r.Seq, Engine: r.Engine, Op: r.Op, Out: r.Out}
	if hasBreak(r.In) {
		l.InText = string(r.In)
	} else {
		l.In = r.In
	}
	return l.AppendWire(dst)
}

// hasBreak reports whether JSON text takes more than one line.
func hasBreak(b []byte) bool {
	for _, c := range b {
		if c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}

// Outcome is what all responses of ops that change the state have, and what configure answers.
//
//abi:response
type Outcome struct {
	Revision int64         `json:"revision,omitempty"`
	Settings SettingsPatch `json:"settings,omitempty"`
}

// LogVersion is what tells the version of a line of which the rest can't be read.
//
//abi:response
type LogVersion struct {
	Header *VersionHeader `json:"header,omitempty"`
	Engine string         `json:"engine,omitempty"`
}

// VersionHeader is the part of LogHeader that never changes.
type VersionHeader struct {
	Format int64  `json:"format"`
	ABI    string `json:"abi"`
}
