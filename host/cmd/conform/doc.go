// Command conform sends the requests of the conformance suite to a filter and
// compares its answers with the bytes that they have to be.
//
//	conform [FLAGS] [FILE…] -- COMMAND [ARGUMENT…]
//
// The command is started once, gets a line and answers with a line, and is told
// to begin anew between files. testdata/conformance/README.md describes the
// lines and the files.
//
// A difference is reported with file and line, why the case is there, the
// request, both answers and the first byte that differs. Known failures are
// listed with a reason; a listed case that passes is a failure too, so that the
// list can't rot. The exit code is 0 when nothing failed, 1 otherwise, 2 for
// wrong usage.
//
// The command knows nothing of what requests mean.
package main
