// Package good claims rows before it works on them, and is alone then.
package good

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Job struct {
	ID       int64
	Attempts int
	Payload  []byte
}

type Queue struct{ pool *pgxpool.Pool }

func (q *Queue) claim(ctx context.Context) (*Job, error) {
	j := &Job{}
	err := q.pool.QueryRow(ctx, `
		UPDATE jobs SET state = 'running', locked_until = now() + interval '1 minute'
		WHERE id = (SELECT id FROM jobs WHERE state = 'queued' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id, attempts, payload`).Scan(&j.ID, &j.Attempts, &j.Payload)
	return j, err
}

func (q *Queue) Work(ctx context.Context, do func(ctx context.Context, payload []byte) error) error {
	j, err := q.claim(ctx)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := do(ctx, j.Payload); err != nil {
		delay := time.Duration(j.Attempts+1) * time.Second
		_, err = q.pool.Exec(ctx, `UPDATE jobs SET state = 'queued', attempts = $2, run_at = now() + $3::interval WHERE id = $1`, j.ID, j.Attempts+1, delay)
		return err
	}
	_, err = q.pool.Exec(ctx, `DELETE FROM jobs WHERE id = $1`, j.ID)
	return err
}

// WorkInTx holds the row's lock while it works.
func (q *Queue) WorkInTx(ctx context.Context, do func(ctx context.Context, payload []byte) error) error {
	return pgx.BeginFunc(ctx, q.pool, func(tx pgx.Tx) error {
		j := &Job{}
		err := tx.QueryRow(ctx, `SELECT id, attempts, payload FROM jobs WHERE state = 'queued' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`).
			Scan(&j.ID, &j.Attempts, &j.Payload)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := do(ctx, j.Payload); err != nil {
			_, err = tx.Exec(ctx, `UPDATE jobs SET attempts = $2 WHERE id = $1`, j.ID, j.Attempts+1)
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE jobs SET state = 'done' WHERE id = $1`, j.ID)
		return err
	})
}
