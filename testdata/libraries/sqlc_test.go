package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/sqlcargshop"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/sqlcshop"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/sqlcstdshop"
)

func TestSqlc(t *testing.T) {
	proveShop(t, "sqlcshop", func(g *gate.DB) shop { return sqlcshop.New(g.Pool()) })
}

func TestSqlcStd(t *testing.T) {
	proveShop(t, "sqlcstdshop", func(g *gate.DB) shop { return sqlcstdshop.New(g.SQL()) })
}

func TestSqlcArgument(t *testing.T) {
	proveShop(t, "sqlcargshop", func(g *gate.DB) shop { return sqlcargshop.New(g.Pool()) })
}
