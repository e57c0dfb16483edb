package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/scanyshop"
)

func TestScany(t *testing.T) {
	proveShop(t, "scanyshop", func(g *gate.DB) shop { return scanyshop.New(g.Pool()) })
}
