package libraries_test

import (
	"testing"

	"github.com/upper/db/v4"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/uppershop"
)

func TestUpper(t *testing.T) {
	db.LC().SetLevel(db.LogLevelPanic) // it logs each error of a statement with a stack
	proveShop(t, "uppershop", func(g *gate.DB) shop {
		shop, err := uppershop.New(g.SQL())
		if err != nil {
			t.Fatal(err)
		}
		return shop
	})
}
