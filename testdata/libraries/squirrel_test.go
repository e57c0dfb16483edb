package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/squirrelshop"
)

func TestSquirrel(t *testing.T) {
	proveShop(t, "squirrelshop", func(g *gate.DB) shop { return squirrelshop.New(g.SQL()) })
}
