package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Merge commits too early: the second look at the rows runs on the pool.
func Merge(ctx context.Context, pool *pgxpool.Pool, from, to int64) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `UPDATE carts SET merging = true WHERE id = $1`, from); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	rows, err := pool.Query(ctx, `SELECT id FROM cart_lines WHERE cart_id = $1 FOR UPDATE`, from) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, `UPDATE cart_lines SET cart_id = $2 WHERE id = ANY($1)`, ids, to)
	return err
}
