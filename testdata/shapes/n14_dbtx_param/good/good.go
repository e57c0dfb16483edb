package good

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
	return pgx.BeginTxFunc(ctx, p.pool, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := lockTenant(ctx, tx, id); err != nil {
			return err
		}
		nested, err := tx.Begin(ctx)
		if err != nil {
			return err
		}
		defer nested.Rollback(ctx)
		if err := lockTenant(ctx, nested, -id); err != nil {
			return err
		}
		_, err = nested.Exec(ctx, "update plans set seats = seats + 1 where tenant_id = $1", id)
		if err != nil {
			return err
		}
		return nested.Commit(ctx)
	})
}
