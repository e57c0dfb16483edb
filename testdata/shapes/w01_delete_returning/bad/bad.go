package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Queue struct{ pool *pgxpool.Pool }

const pop = `
	WITH head AS (
		SELECT id FROM tasks ORDER BY id LIMIT 1 FOR UPDATE
	)
	DELETE FROM tasks USING head WHERE tasks.id = head.id
	RETURNING tasks.payload`

// Pop runs the first task and removes it, unless it fails.
func (q *Queue) Pop(ctx context.Context, run func([]byte) error) error {
	tx, err := q.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	var payload []byte
	switch err := tx.QueryRow(ctx, pop).Scan(&payload); { // expect: skiplocked
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	if err := run(payload); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
