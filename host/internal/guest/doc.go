// Package guest takes a module and gives back instances that answer one
// request at a time, or say why they can't any more.
//
// Invariants:
//
//   - This is the only package that touches guest memory or wazero.
//   - An instance runs one call at a time; a second one, from another goroutine
//     or from inside a host function, gets [ErrBusy] and reaches nothing.
//   - After a trap, a passed deadline, a cancellation or an answer that breaks
//     the ABI the instance is closed and never runs again: its stack pointer is
//     not unwound and its heap may be half written.
//   - No code of the caller runs while a guest is on the stack. The guest's
//     clock and random numbers are values, not callbacks, and cancellation is a
//     flag that the tick reads.
//   - Requests and responses above [FrameLimit] are refused before anything is
//     allocated for them.
//   - The guest sees no file, no network, no argument, no variable of the
//     host's environment, and it can't sleep.
//
// The package knows no ops beyond their names, and keeps no log: rebuilding a
// space is its caller's business.
package guest
