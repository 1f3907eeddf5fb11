// Package calendar turns RFC 3339 times with an offset into instants and local dates, and durations such as 3h into
// seconds.
//
// A time without an offset is no time: the zone is never guessed. A leap second counts as the second before the next
// minute. The date of a time is the one its own offset gives, so that 23:30 at +08:00 belongs to that local day.
//
// The package knows no clock: the present comes with the request. It reads no natural language.
package calendar
