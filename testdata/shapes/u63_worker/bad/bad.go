// Package bad claims nothing.
package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Job struct {
	ID       int64
	Attempts int
	Payload  []byte
}

type Queue struct{ pool *pgxpool.Pool }

func (q *Queue) Retry(ctx context.Context, id int64, do func(ctx context.Context, payload []byte) error) error {
	j := &Job{}
	err := q.pool.QueryRow(ctx, `SELECT id, attempts, payload FROM jobs WHERE id = $1`, id).Scan(&j.ID, &j.Attempts, &j.Payload)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := do(ctx, j.Payload); err != nil {
		j.Attempts++
		_, err = q.pool.Exec(ctx, `UPDATE jobs SET attempts = $2 WHERE id = $1`, j.ID, j.Attempts) // expect: lostupdate
		return err
	}
	return nil
}
