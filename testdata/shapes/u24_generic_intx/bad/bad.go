// Package bad runs its transactions through a generic function.
package bad

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func InTx[T any](ctx context.Context, pool *pgxpool.Pool, fn func(ctx context.Context, tx pgx.Tx) (T, error)) (T, error) {
	var zero T
	tx, err := pool.Begin(ctx)
	if err != nil {
		return zero, err
	}
	defer tx.Rollback(ctx)
	out, err := fn(ctx, tx)
	if err != nil {
		return zero, err
	}
	return out, tx.Commit(ctx)
}

type Counter struct{ pool *pgxpool.Pool }

func (c *Counter) Next(ctx context.Context, name string) (int64, error) {
	return InTx(ctx, c.pool, func(ctx context.Context, tx pgx.Tx) (int64, error) {
		var n int64
		if err := tx.QueryRow(ctx, `SELECT value FROM counters WHERE name = $1`, name).Scan(&n); err != nil {
			return 0, err
		}
		n++
		_, err := tx.Exec(ctx, `UPDATE counters SET value = $1 WHERE name = $2`, n, name) // expect: lostupdate
		return n, err
	})
}
