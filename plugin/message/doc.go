// Package message takes messages as requests bring them and gives checked messages in the order of a thread: numbered,
// with their plain text, and sorted into groups, turns, runs and sessions.
//
// A group is an assistant message with tool calls and all its results; overlapping calls are one group; any other message
// is a group by itself. A turn is a user message and all that follows up to the next one. A run is consecutive messages of
// one speaker without tool calls. A session is a stretch without a long pause.
//
// Invariants: a result belongs to the newest open call with its id, also when messages stand between; order is the order
// of arrival and time never changes it; a message is in exactly one group, a group in exactly one turn; turn 0 is what
// stands before the first user message.
//
// The package decides nothing about plans and counts no tokens.
package message
