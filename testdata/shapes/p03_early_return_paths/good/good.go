package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Run(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		_, _ = pool.Exec(ctx, `INSERT INTO log VALUES (0)`)
		return err
	}
	if _, err = tx.Exec(ctx, `UPDATE a SET b = 1 WHERE id = $1`, id); err != nil {
		if rb := tx.Rollback(ctx); rb != nil {
			return rb
		}
		_, _ = pool.Exec(ctx, `INSERT INTO log VALUES (1)`)
		return err
	}
	err = tx.Commit(ctx)
	if err != nil {
		_, _ = pool.Exec(ctx, `INSERT INTO log VALUES (2)`)
		return err
	}
	_, err = pool.Exec(ctx, `INSERT INTO log VALUES (3)`)
	return err
}
