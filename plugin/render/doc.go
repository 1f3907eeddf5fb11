// Package render takes messages and gives the text in which they are quoted, and takes the items of a plan and gives the
// messages of a request in the form that a provider expects.
//
// Recalled text is quoted and never replayed as messages. A day line (2026-05-22 Fri, the year only when it changes)
// stands once before the items of that day; each item has a line of its own that begins with the time of day, the number
// of the message and the speaker (22:45 #626 Ana: ). The result of a tool has its call as a caption.
//
// [Messages] writes the items of a plan in plan order:
//
//   - System and instruction items stand in the provider's system place, each by itself and byte-equal.
//   - Pinned, retrieved and evidence items are quoted, each kind in one block between tags (<recalled> … </recalled>). A
//     tag occurs in no text of the plan: where one does, it gets a suffix that makes it differ. Blocks are user text and
//     stand at the beginning of the first user message: pinned ones of the first of all, the others of the first of the
//     live turn or the input. Where there is none, or it is named, they are a user message of their own.
//   - Recent, live and input items are messages. Results stand directly behind the message with their calls, whatever
//     came in between. A result without a call is quoted. A call without a result is left out when a user message
//     follows; else it stays, and everything from its message on is one assistant message with the known results behind
//     it, so that open calls are the end of the request.
//   - What the model thought goes back with its signature to the provider that signed it, and to no other.
//   - What a provider refuses is mended: the first message is a user's, no text is blank, ids of calls are unique and of
//     its characters, what it can't show (an image of an unknown format, a file) is described in brackets.
//
// What is added to the words of the items is the frame of a block (Frame), the name of a speaker where there is no field
// for it, and the few words in brackets.
//
// Invariants: the bytes are canonical JSON; every text of an item is in them, unchanged, but for blank ones (and white
// space at the very end of a request, where Anthropic takes none); nothing is in the system place but items of the system
// and the developer that are not quoted; two renderings of the same items are equal; the JSON is never nested so deeply
// that a response which holds it would be refused.
//
// The package decides nothing about what is sent and counts no tokens.
package render
