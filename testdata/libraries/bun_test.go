package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/bunshop"
)

func TestBun(t *testing.T) {
	proveShop(t, "bunshop", func(g *gate.DB) shop { return bunshop.New(g.Bun()) })
}
