package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

func lockTenant(ctx context.Context, db execer, id int64) error {
	_, err := db.Exec(ctx, "select pg_advisory_xact_lock($1)", id)
	return err
}

type Plans struct{ pool *pgxpool.Pool }

func (p *Plans) Upgrade(ctx context.Context, id int64) error {
	if err := lockTenant(ctx, p.pool, id); err != nil { // expect: notxeffect
		return err
	}
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "update plans set seats = seats + 1 where tenant_id = $1", id)
		return err
	})
}
