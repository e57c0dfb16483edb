// Package schema declares the tables of the ticket shop, from which ent
// generates package db.
package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Event is a show with a number of seats left.
type Event struct{ ent.Schema }

// Fields of an event.
func (Event) Fields() []ent.Field {
	return []ent.Field{field.String("title"), field.Int("seats"), field.Int("version").Default(0)}
}

// Job is a mail that a worker sends.
type Job struct{ ent.Schema }

// Fields of a job.
func (Job) Fields() []ent.Field {
	return []ent.Field{field.String("kind"), field.String("state").Default("new")}
}
