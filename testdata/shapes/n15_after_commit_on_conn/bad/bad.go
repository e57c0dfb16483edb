package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Compact(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM events WHERE old"); err != nil {
		_ = tx.Rollback(ctx)
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "SET LOCAL maintenance_work_mem = '1GB'"); err != nil { // expect: notxeffect
		return err
	}
	_, err = conn.Exec(ctx, "REINDEX TABLE CONCURRENTLY events")
	return err
}
