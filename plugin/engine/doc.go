// Package engine takes requests of one space and gives responses; it owns the state and joins the stages:
// messages → log → index → ranked lists → fusion → packing → plan.
//
// Invariants: an op that fails leaves the state as it was; plan, needs, read, stats and describe change nothing; the same
// requests give the same responses on every machine; no budget is exceeded and no group of tool calls is parted.
//
// The engine does no I/O, knows no clock and calls no model: it answers with needs. It is not safe for concurrent use.
package engine
