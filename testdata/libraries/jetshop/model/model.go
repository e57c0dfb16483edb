// Package model declares the rows of the shop's tables in the form in which
// Jet's generator writes them.
package model

// Events is a row of the table events.
type Events struct {
	ID      int64 `sql:"primary_key"`
	Title   string
	Seats   int64
	Version int64
}

// Jobs is a row of the table jobs.
type Jobs struct {
	ID    int64 `sql:"primary_key"`
	Kind  string
	State string
}
