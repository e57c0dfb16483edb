// Package renders renders videos: workers that claim a job and hold the
// transaction while they render.
package renders

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	next = `
		UPDATE render_jobs
		SET state = 'rendered', tries = tries + 1
		WHERE id = (
			SELECT id FROM render_jobs
			WHERE state = 'waiting' AND not_before <= now()
			ORDER BY priority DESC, id
			LIMIT 1
			FOR UPDATE
		)
		RETURNING id`
	nextFree = `
		UPDATE render_jobs
		SET state = 'rendered', tries = tries + 1
		WHERE id = (
			SELECT id FROM render_jobs
			WHERE state = 'waiting' AND not_before <= now()
			ORDER BY priority DESC, id
			LIMIT 1
			FOR UPDATE SKIP LOCKED
		)
		RETURNING id`
)

// Farm is the workers' side of the queue.
type Farm struct {
	pool   *pgxpool.Pool
	render func(ctx context.Context, job int64) error
}

// NewFarm returns a farm whose workers render with render.
func NewFarm(pool *pgxpool.Pool, render func(ctx context.Context, job int64) error) *Farm {
	return &Farm{pool: pool, render: render}
}

// RenderNext renders the oldest job that waits. A job whose rendering fails is
// waiting again. All workers ask for the same row.
func (f *Farm) RenderNext(ctx context.Context) error {
	return pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		var job int64
		err := tx.QueryRow(ctx, next).Scan(&job) // want "without SKIP LOCKED: this picks rows of render_jobs"
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return f.render(ctx, job)
	})
}

// RenderNextFree renders the oldest job that waits and that no other worker has.
//
//proof:fixes (*Farm).RenderNext
func (f *Farm) RenderNextFree(ctx context.Context) error {
	return pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		var job int64
		err := tx.QueryRow(ctx, nextFree).Scan(&job)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return f.render(ctx, job)
	})
}

// Retry is right: it names one job, and waits for the worker that has it.
func (f *Farm) Retry(ctx context.Context, job int64) error {
	return pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		var state string
		if err := tx.QueryRow(ctx, `SELECT state FROM render_jobs WHERE id = $1 FOR UPDATE`, job).Scan(&state); err != nil {
			return err
		}
		if state == "waiting" {
			return nil
		}
		_, err := tx.Exec(ctx, `UPDATE render_jobs SET state = 'waiting' WHERE id = $1`, job)
		return err
	})
}

// Latest is right: the newest job of one owner is locked so that the owner's
// jobs come one after another.
func (f *Farm) Latest(ctx context.Context, owner int64, title string) error {
	return pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		var n int
		err := tx.QueryRow(ctx, `SELECT number FROM render_jobs WHERE owner_id = $1 ORDER BY number DESC LIMIT 1 FOR UPDATE`, owner).Scan(&n)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO render_jobs (owner_id, number, title, state) VALUES ($1, $2, $3, 'waiting')`, owner, n+1, title)
		return err
	})
}
