// Package table declares the shop's tables in the form in which Jet's generator
// writes them.
package table

import "github.com/go-jet/jet/v2/postgres"

// Tables of the shop.
var (
	Events = newEvents()
	Jobs   = newJobs()
)

// EventsTable is the table events.
type EventsTable struct {
	postgres.Table

	ID      postgres.ColumnInteger
	Title   postgres.ColumnString
	Seats   postgres.ColumnInteger
	Version postgres.ColumnInteger
}

func newEvents() *EventsTable {
	id, title := postgres.IntegerColumn("id"), postgres.StringColumn("title")
	seats, version := postgres.IntegerColumn("seats"), postgres.IntegerColumn("version")
	return &EventsTable{postgres.NewTable("public", "events", "", id, title, seats, version), id, title, seats, version}
}

// JobsTable is the table jobs.
type JobsTable struct {
	postgres.Table

	ID    postgres.ColumnInteger
	Kind  postgres.ColumnString
	State postgres.ColumnString
}

func newJobs() *JobsTable {
	id, kind, state := postgres.IntegerColumn("id"), postgres.StringColumn("kind"), postgres.StringColumn("state")
	return &JobsTable{postgres.NewTable("public", "jobs", "", id, kind, state), id, kind, state}
}
