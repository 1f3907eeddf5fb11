// Package host takes messages, questions and model callbacks from a Go program
// and gives back context plans. It runs the ctxplan engine, one instance for
// each space, in the WebAssembly sandbox or, on request, as ordinary Go code.
//
// A program's duties:
//
//  1. Make one [Runtime] with [New] and keep it: the module is compiled there.
//     Close it at the end.
//  2. Take a [Space] for each owner with [Runtime.Space]. The id decides who
//     sees what; it must come from whoever has checked who the user is, and
//     never from the user's text.
//  3. Name the models with [Space.Configure], if there are any, and give their
//     callbacks with [WithModels].
//  4. Append finished messages in the order in which they came, tool calls and
//     tool results included, with [Space.Append].
//  5. Before each model call take the plan for it with [Space.Plan], and send
//     its items in their order.
//  6. Now and then, outside the path of a question, let [Space.Work] answer the
//     background needs of the engine.
//  7. On an [*Error], look at its code. The space is as it was before the call,
//     so the program may go on; a call with a retryable error may be tried
//     again.
//  8. A Space lives in memory, and dies with its Runtime. Keep its records with
//     [WithLog] where they outlive it, and fill a new space from them with
//     [Runtime.Restore]; now and then keep a [Space.Snapshot], from which and
//     the records since it starts faster.
//  9. After [Space.Forget] write [Space.Export] in the place of the records up
//     to its revision, and throw older exports and snapshots away: they hold what
//     was forgotten. So does what was pruned by an append.
//
// Invariants:
//
//   - No call reaches two spaces, and no two spaces share an instance.
//   - Calls of one space run one after the other, calls of different spaces in
//     parallel.
//   - An instance that trapped, ran out of memory, was stopped, or reported an
//     internal fault is thrown away. The space is rebuilt from the requests that
//     changed it, which the host keeps; only the call at hand is lost. After
//     something was forgotten it keeps a snapshot in their place.
//   - An op that changed a space is told to its caller after its record is kept.
//   - Callbacks run while no call of the engine runs.
//   - The same requests give the same bytes, whichever way the engine runs.
//
// The package opens no network connection, calls no model by itself, and writes
// no file but compiled code in the cache directory.
package host
