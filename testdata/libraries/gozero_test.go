package libraries_test

import (
	"testing"

	"github.com/zeromicro/go-zero/core/logx"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/zeroshop"
)

func TestGoZero(t *testing.T) {
	logx.Disable()
	proveShop(t, "zeroshop", func(g *gate.DB) shop { return zeroshop.New(g.SQL()) })
}
