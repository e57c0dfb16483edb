package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Policy struct{ pool *pgxpool.Pool }

func (p *Policy) As(ctx context.Context, org, user string, fn func(pgx.Tx) error) error {
	tx, err := p.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	const q = `SELECT set_config('app.org', $1, true), set_config('app.user', $2, true)`
	if _, err := tx.Exec(ctx, q, org, user); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `SET CONSTRAINTS ALL DEFERRED`); err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
