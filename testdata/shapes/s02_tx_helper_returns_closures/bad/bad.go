package bad

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const defaultTimeoutMs = 30000

// BeginWithTimeout returns a transaction with a statement timeout, and what
// ends it.
func BeginWithTimeout(ctx context.Context, pool *pgxpool.Pool, ms int) (pgx.Tx, func(context.Context) error, func(), error) {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	_, err = tx.Exec(ctx, fmt.Sprintf("SET statement_timeout=%d", ms)) // expect: sessionset
	if err != nil {
		return nil, nil, nil, err
	}
	commit := func(ctx context.Context) error { return tx.Commit(ctx) }
	rollback := func() { _ = tx.Rollback(context.Background()) }
	return tx, commit, rollback, nil
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
