package schema

import (
	"path/filepath"
	"reflect"
	"testing"
)

// Types are mapped to the tables that the program names, with their keys; what is
// not understood, or said in two ways, is not known.
func TestMapped(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "go.mod", "module example.com/shop\n")
	put(t, dir, "model/model.go", "package model\ntype Order struct{}\ntype Twice struct{}\ntype Same struct{}\n")
	put(t, dir, "store/names.go", "package store\nconst lines = \"order_\" + \"lines\"\n")
	put(t, dir, "store/store.go", `package store

import (
	"example.com/shop/model"
	other "example.com/other/model"
)

func tables(db *gorp.DbMap, name string) {
	db.AddTableWithName(model.Order{}, "orders").SetKeys(true, "ID")
	db.AddTableWithName(other.Order{}, "other_orders").SetKeys(false, "shop_id", "id")
	db.AddTableWithName(Line{}, lines).SetKeys(true, "ID").SetVersionCol("Version").SetNotNull(true)
	db.AddTable(Event{})
	db.AddTableWithNameAndSchema(Audit{}, "log", "audits")
	db.AddTableWithName(Dynamic{}, name)
	db.AddTableWithName(model.Twice{}, "once")
	db.AddTableWithName(model.Same{}, "same").SetKeys(true, "ID")

	t := db.AddTableWithName(First{}, "firsts").SetKeys(true, "ID")
	t.SetVersionCol("Lock")
	t.ColMap("Title").SetUnique(true)
	t.ColMap("Title").MaxSize = 10
	t = db.AddTableWithName(Second{}, "seconds")
	t.ColMap("Title").Rename("name")
	u := db.AddTableWithName(Third{}, "thirds")
	sizes(u)
	v := db.AddTableWithName(Fourth{}, "fourths")
	v.SetKeys(generated(), "ID")
	c := db.AddTableWithName(Fifth{}, "fifths").ColMap("Title")
	c.Rename("name")
}

func mapped(db *gorp.DbMap) *gorp.TableMap { return db.AddTableWithName(Sixth{}, "sixths") }
`)
	put(t, dir, "cmd/again.go", `package main

import "example.com/shop/model"

func again(db *gorp.DbMap) {
	db.AddTableWithName(model.Twice{}, "twice")
	db.AddTableWithName(model.Same{}, "same").SetKeys(true, "ID")
}
`)
	put(t, dir, "cmd/again_test.go", "package main\nimport \"example.com/shop/model\"\nfunc t() { db.AddTableWithName(model.Order{}, \"test_orders\") }\n")
	const shop = "example.com/shop/"
	for typ, want := range map[string]*Mapping{
		shop + "model.Order":            {Table: "orders", Keys: []string{"ID"}, Generated: true},
		"example.com/other/model.Order": {Table: "other_orders", Keys: []string{"shop_id", "id"}},
		shop + "store.Line":             {Table: "order_lines", Keys: []string{"ID"}, Generated: true, Version: "Version"},
		shop + "store.Event":            {Table: "Event"},
		shop + "store.Audit":            {Table: "audits"},
		shop + "store.Dynamic":          nil,
		shop + "model.Twice":            nil,
		shop + "model.Same":             {Table: "same", Keys: []string{"ID"}, Generated: true},
		shop + "store.First":            {Table: "firsts", Keys: []string{"ID"}, Generated: true, Version: "Lock", Unique: true},
		shop + "store.Second":           nil,
		shop + "store.Third":            nil,
		shop + "store.Fourth":           nil,
		shop + "store.Fifth":            nil,
		shop + "store.Sixth":            nil,
		shop + "store.Nobody":           nil,
	} {
		if got := Mapped(filepath.Join(dir, "store"), typ); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v; want %+v", typ, got, want)
		}
	}
}
