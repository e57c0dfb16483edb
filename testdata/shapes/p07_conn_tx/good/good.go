package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Run(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `UPDATE a SET b = 1`); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, `UPDATE a SET b = 2`); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
