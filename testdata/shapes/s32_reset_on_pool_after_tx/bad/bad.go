package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Bulk struct{ pool *pgxpool.Pool }

// Load resets on another session than the one it changed.
func (b *Bulk) Load(ctx context.Context, rows [][]any) error {
	tx, err := b.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "SET synchronous_commit = off"); err != nil { // expect: sessionset
		return err
	}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"points"}, []string{"x", "y"}, pgx.CopyFromRows(rows)); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	_, err = b.pool.Exec(ctx, "RESET synchronous_commit")
	return err
}
