package libraries_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v4/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/pgxv4shop"
)

func TestPgxV4(t *testing.T) {
	proveShop(t, "pgxv4shop", func(g *gate.DB) shop { return pgxv4shop.New(gate.Open(g, poolV4)) })
}

// poolV4 opens a pool of version 4, which has no tracer.
func poolV4(g *gate.DB) (*pgxpool.Pool, gate.Use) {
	cfg, err := pgxpool.ParseConfig(g.DSN())
	if err != nil {
		panic(err) // the harness has made the string
	}
	cfg.ConnConfig.DialFunc = g.Dial
	cfg.MaxConns = int32(g.MaxConns())
	cfg.LazyConnect = true
	pool, err := pgxpool.ConnectConfig(context.Background(), cfg)
	if err != nil {
		panic(err) // connects later
	}
	return pool, gate.Use{
		InUse: func() int { return int(pool.Stat().AcquiredConns()) },
		Ask: func(ctx context.Context, sql string) (value string, err error) {
			err = pool.QueryRow(ctx, sql).Scan(&value)
			return value, err
		},
		Close: pool.Close,
	}
}
