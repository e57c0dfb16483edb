package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/crdbshop"
)

func TestCockroach(t *testing.T) {
	proveShop(t, "crdbshop", func(g *gate.DB) shop { return crdbshop.New(g.Pool()) })
}
