package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/gorpshop"
)

func TestGorp(t *testing.T) {
	proveShop(t, "gorpshop", func(g *gate.DB) shop { return gorpshop.New(g.SQL()) })
}
