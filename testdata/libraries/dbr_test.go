package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/dbrshop"
)

func TestDbr(t *testing.T) {
	proveShop(t, "dbrshop", func(g *gate.DB) shop { return dbrshop.New(g.SQL()) })
}
