package libraries_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/sqlxshop"
)

func TestSqlx(t *testing.T) {
	proveShop(t, "sqlxshop", func(g *gate.DB) shop { return sqlxshop.New(g.SQLX()) })
}
