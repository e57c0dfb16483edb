package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/gormshop"
)

func TestGorm(t *testing.T) {
	proveFullShop(t, "gormshop", func(g *gate.DB) fullShop { return gormshop.New(g.Gorm()) })
}
