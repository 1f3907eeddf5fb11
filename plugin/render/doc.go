// Package render takes messages and gives the text in which they are quoted: a short header with date, number and
// speaker, and the words.
//
// Recalled text is quoted and never replayed as messages. A day line (2026-05-22 Fri, the year only when it changes)
// stands once before the items of that day; each item has a line of its own that begins with the time of day, the number
// of the message and the speaker (22:45 #626 Ana: ). The result of a tool has its call as a caption.
//
// The package decides nothing about what is quoted and counts no tokens.
package render
