package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Bulk struct{ pool *pgxpool.Pool }

// Load resets on the session below the transaction.
func (b *Bulk) Load(ctx context.Context, rows [][]any) error {
	conn, err := b.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer conn.Exec(context.WithoutCancel(ctx), "RESET synchronous_commit")
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "SET synchronous_commit = off"); err != nil {
		return err
	}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"points"}, []string{"x", "y"}, pgx.CopyFromRows(rows)); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
