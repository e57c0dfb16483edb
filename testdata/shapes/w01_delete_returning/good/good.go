package good

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Queue struct{ pool *pgxpool.Pool }

const pop = `
	WITH head AS (
		SELECT id FROM tasks ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
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
	switch err := tx.QueryRow(ctx, pop).Scan(&payload); {
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

// Expire removes what is too old, a piece at a time. Nobody is given the rows.
func (q *Queue) Expire(ctx context.Context) (int64, error) {
	tag, err := q.pool.Exec(ctx, `
		DELETE FROM tasks WHERE id IN (
			SELECT id FROM tasks WHERE created_at < now() - interval '30 days' ORDER BY id LIMIT 1000 FOR UPDATE
		)`)
	return tag.RowsAffected(), err
}

// PopOwn takes the oldest task of one session: nobody else asks for it.
func (q *Queue) PopOwn(ctx context.Context, session int64) (payload []byte, err error) {
	err = q.pool.QueryRow(ctx, `
		DELETE FROM tasks WHERE id = (
			SELECT id FROM tasks WHERE session_id = $1 ORDER BY id LIMIT 1 FOR UPDATE
		) RETURNING payload`, session).Scan(&payload)
	return payload, err
}
