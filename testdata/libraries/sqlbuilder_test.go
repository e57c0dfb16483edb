package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/sqlbuildershop"
)

func TestSQLBuilder(t *testing.T) {
	proveShop(t, "sqlbuildershop", func(g *gate.DB) shop { return sqlbuildershop.New(g.SQL()) })
}
