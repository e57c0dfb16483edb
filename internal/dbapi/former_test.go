package dbapi_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// TestFormer looks names up below the path that a library had before it moved.
func TestFormer(t *testing.T) {
	const root = "github.com/volatiletech/sqlboiler/v4"
	if f := dbapi.Lookup(root + "/queries/qm.For"); f == nil || f.Clause != "for" {
		t.Errorf("%s/queries/qm.For: %v", root, f)
	}
	if h := dbapi.TypeHandle(root + "/boil.ContextTransactor"); h != dbapi.Tx {
		t.Errorf("boil.ContextTransactor is %d", h)
	}
	if !dbapi.Known(root+"/boil") || dbapi.Builder("*"+root+"/queries.Query") != "sqlboiler" {
		t.Error("the packages and builders are not known")
	}
}
