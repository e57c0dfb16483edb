package good

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// BeginWithTimeout returns a transaction with a statement timeout, and what
// ends it.
func BeginWithTimeout(ctx context.Context, pool *pgxpool.Pool, ms int) (pgx.Tx, func(context.Context) error, func(), error) {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	rollback := func() { _ = tx.Rollback(context.Background()) }
	if _, err = tx.Exec(ctx, fmt.Sprintf("SET LOCAL statement_timeout=%d", ms)); err != nil {
		rollback()
		return nil, nil, nil, err
	}
	return tx, tx.Commit, rollback, nil
}

func Heartbeat(ctx context.Context, pool *pgxpool.Pool, worker string) error {
	tx, commit, rollback, err := BeginWithTimeout(ctx, pool, 5000)
	if err != nil {
		return err
	}
	defer rollback()
	if _, err := tx.Exec(ctx, `UPDATE workers SET beat_at = now() WHERE id = $1`, worker); err != nil {
		return err
	}
	return commit(ctx)
}
