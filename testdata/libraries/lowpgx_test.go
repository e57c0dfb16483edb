package libraries_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/lowpgxshop"
)

func TestLowPgx(t *testing.T) {
	proveShop(t, "lowpgxshop", func(g *gate.DB) shop {
		return lowpgxshop.New(gate.Open(g, dialPool), gate.Open(g, dialSQL))
	})
}

// dialPool opens a pool whose statements are read off the connection: what is
// sent below pgx passes its tracer by.
func dialPool(g *gate.DB) (*pgxpool.Pool, gate.Use) {
	cfg, err := pgxpool.ParseConfig(g.DSN())
	if err != nil {
		panic(err) // the harness has made the string
	}
	cfg.ConnConfig.DialFunc = g.Dial
	cfg.MaxConns = int32(g.MaxConns())
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	if err != nil {
		panic(err) // connects later
	}
	return pool, gate.Use{
		InUse: func() int { return int(pool.Stat().AcquiredConns()) },
		Ask: func(ctx context.Context, query string) (value string, err error) {
			err = pool.QueryRow(ctx, query).Scan(&value)
			return value, err
		},
		Close: pool.Close,
	}
}

// dialSQL is dialPool for database/sql.
func dialSQL(g *gate.DB) (*sql.DB, gate.Use) {
	cfg, err := pgx.ParseConfig(g.DSN())
	if err != nil {
		panic(err) // the harness has made the string
	}
	cfg.DialFunc = g.Dial
	db := stdlib.OpenDB(*cfg)
	db.SetMaxOpenConns(g.MaxConns())
	db.SetMaxIdleConns(g.MaxConns())
	return db, gate.Use{
		InUse: func() int { return db.Stats().InUse },
		Ask: func(ctx context.Context, query string) (value string, err error) {
			err = db.QueryRowContext(ctx, query).Scan(&value)
			return value, err
		},
		Close: func() { _ = db.Close() },
	}
}
