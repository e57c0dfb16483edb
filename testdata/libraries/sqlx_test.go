package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/sqlxshop"
)

func TestSqlx(t *testing.T) {
	proveFullShop(t, "sqlxshop", func(g *gate.DB) fullShop { return sqlxshop.New(g.SQLX()) })
}
