// Package table declares tables in the form in which Jet's generator writes them.
package table

import "github.com/go-jet/jet/v2/postgres"

// The tables.
var (
	Items = newItems()
	Tags  = newTags()
)

// ItemsTable is the table items.
type ItemsTable struct {
	postgres.Table

	ID    postgres.ColumnInteger
	N     postgres.ColumnInteger
	State postgres.ColumnString

	AllColumns     postgres.ColumnList
	MutableColumns postgres.ColumnList
}

func newItems() *ItemsTable {
	id, n, state := postgres.IntegerColumn("id"), postgres.IntegerColumn("n"), postgres.StringColumn("state")
	return &ItemsTable{postgres.NewTable("public", "items", "", id, n, state), id, n, state, postgres.ColumnList{id, n, state}, postgres.ColumnList{n, state}}
}

// TagsTable is the table tags.
type TagsTable struct {
	postgres.Table

	ID     postgres.ColumnInteger
	ItemID postgres.ColumnInteger
	Name   postgres.ColumnString
}

func newTags() *TagsTable {
	id, item, name := postgres.IntegerColumn("id"), postgres.IntegerColumn("item_id"), postgres.StringColumn("name")
	return &TagsTable{postgres.NewTable("public", "tags", "", id, item, name), id, item, name}
}
