package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Run(ctx context.Context, pool *pgxpool.Pool, quick bool) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	if quick {
		if err := tx.Commit(ctx); err != nil {
			return err
		}
		_, err = pool.Exec(ctx, `INSERT INTO log VALUES (1)`)
		return err
	}
	if _, err := pool.Exec(ctx, `INSERT INTO log VALUES (2)`); err != nil { // expect: poolintx
		tx.Rollback(ctx)
		return err
	}
	return tx.Commit(ctx)
}
