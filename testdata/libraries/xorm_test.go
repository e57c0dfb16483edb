package libraries_test

import (
	"runtime"
	"testing"

	"xorm.io/xorm"
	"xorm.io/xorm/core"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/xormshop"
)

func TestXORM(t *testing.T) {
	proveShop(t, "xormshop", func(db *gate.DB) shop {
		engine, err := xorm.NewEngineWithDB("pgx", db.DSN(), core.FromDB(db.SQL()))
		if err != nil {
			t.Fatal(err)
		}
		// A finalizer would close the engine, and its sessions with what they hold,
		// before another process has looked for it.
		t.Cleanup(func() { runtime.KeepAlive(engine) })
		return xormshop.New(engine)
	})
}
