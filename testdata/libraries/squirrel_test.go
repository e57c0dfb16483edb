package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/squirrelshop"
)

func TestSquirrel(t *testing.T) {
	proveFullShop(t, "squirrelshop", func(g *gate.DB) fullShop { return squirrelshop.New(g.SQL()) })
}
