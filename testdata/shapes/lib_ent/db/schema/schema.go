// Package schema is what ent generates a client for.
package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Account holds money.
type Account struct{ ent.Schema }

// Fields are those of accounts.
func (Account) Fields() []ent.Field {
	return []ent.Field{field.String("status").Default("open"), field.Int("cents").Default(0)}
}
