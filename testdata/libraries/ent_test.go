package libraries_test

import (
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/entshop"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/entshop/db"
)

func TestEnt(t *testing.T) {
	proveShop(t, "entshop", func(g *gate.DB) shop {
		return entshop.New(db.NewClient(db.Driver(entsql.OpenDB(dialect.Postgres, g.SQL()))))
	})
}
