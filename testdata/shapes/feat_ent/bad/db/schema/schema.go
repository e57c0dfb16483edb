// Package schema declares the tables of which ent generates package db.
package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
)

// Item is a row of items.
type Item struct{ ent.Schema }

// Fields of an item.
func (Item) Fields() []ent.Field {
	return []ent.Field{field.Int("n"), field.String("state").Default("new"), field.String("note").Optional().Nillable()}
}

// Edges of an item.
func (Item) Edges() []ent.Edge { return []ent.Edge{edge.To("tags", Tag.Type)} }

// Tag is a row of tags.
type Tag struct{ ent.Schema }

// Fields of a tag.
func (Tag) Fields() []ent.Field {
	return []ent.Field{field.String("name"), field.Int("item_id").Optional()}
}

// Edges of a tag.
func (Tag) Edges() []ent.Edge {
	return []ent.Edge{edge.From("item", Item.Type).Ref("tags").Field("item_id").Unique()}
}
