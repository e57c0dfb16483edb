package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/goqushop"
)

func TestGoqu(t *testing.T) {
	proveShop(t, "goqushop", func(g *gate.DB) shop { return goqushop.New(g.SQL()) })
}
