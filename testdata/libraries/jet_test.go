package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/jetshop"
)

func TestJet(t *testing.T) {
	proveShop(t, "jetshop", func(g *gate.DB) shop { return jetshop.New(g.SQL()) })
}
