package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/transactorshop"
)

func TestTransactor(t *testing.T) {
	proveShop(t, "transactorshop", func(g *gate.DB) shop { return transactorshop.New(g.SQL()) })
}
