// Package frame takes addresses and lengths that a host sends across the raw
// ABI and gives back the byte slices they stand for, or a refusal.
//
// Invariants:
//
//   - At most [Slots] buffers are outstanding at any time. A request buffer is
//     outstanding from Alloc until an op takes it, a response from Put until
//     Release.
//   - A slice leaves the table only for an address that the table gave out and
//     for a length within that buffer. No arithmetic is done on addresses that
//     came from a host, so a wrong one can reach nothing.
//   - No buffer is larger than [Limit] on its way in.
//   - A refusal takes no slot: it is readable until the next refusal.
//
// The package does not decode requests and knows no ops. It is not safe for
// concurrent use; an instance serves one call at a time.
package frame
