package libraries_test

import (
	"context"
	"testing"

	"github.com/go-pg/pg/v10"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/gopgshop"
)

// openGoPG opens a database of go-pg, which is its own driver.
func openGoPG(db *gate.DB) (*pg.DB, gate.Use) {
	cfg, err := pgconn.ParseConfig(db.DSN())
	if err != nil {
		panic(err)
	}
	network, addr := pgconn.NetworkAddress(cfg.Host, cfg.Port)
	g := pg.Connect(&pg.Options{
		Network: network, Addr: addr, User: cfg.User, Password: cfg.Password, Database: cfg.Database,
		Dialer: db.Dial, PoolSize: db.MaxConns(),
	})
	return g, gate.Use{
		InUse: func() int { return int(g.PoolStats().TotalConns - g.PoolStats().IdleConns) },
		Ask: func(ctx context.Context, sql string) (value string, err error) {
			_, err = g.QueryOneContext(ctx, pg.Scan(&value), sql)
			return value, err
		},
		Close: func() { _ = g.Close() },
	}
}

func TestGoPG(t *testing.T) {
	proveShop(t, "gopgshop", func(db *gate.DB) shop { return gopgshop.New(gate.Open(db, openGoPG)) })
}
