package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/gormshop"
)

func TestGorm(t *testing.T) {
	proveShop(t, "gormshop", func(g *gate.DB) shop { return gormshop.New(g.Gorm()) })
}
