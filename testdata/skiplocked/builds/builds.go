// Package builds hands builds to agents, with pgx.
package builds

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Queue is the queue of builds.
type Queue struct{ pool *pgxpool.Pool }

// NewQueue returns a queue.
func NewQueue(pool *pgxpool.Pool) *Queue { return &Queue{pool: pool} }

// ErrEmpty says that no build waits.
var ErrEmpty = errors.New("no build waits")

// Take gives the agent the oldest build. With NOWAIT an agent that comes while
// another takes one gets an error in place of the next build.
func (q *Queue) Take(ctx context.Context, agent string) (id int64, err error) {
	err = pgx.BeginFunc(ctx, q.pool, func(tx pgx.Tx) error {
		id, err = oldest(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE builds SET state = 'building', agent = $2 WHERE id = $1`, id, agent)
		return err
	})
	return id, err
}

func oldest(ctx context.Context, tx pgx.Tx) (id int64, err error) {
	err = tx.QueryRow(ctx, `SELECT id FROM builds WHERE state = 'waiting' ORDER BY id LIMIT 1 FOR UPDATE NOWAIT`).Scan(&id) // want "with NOWAIT"
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrEmpty
	}
	return id, err
}

// Serve takes builds until the context ends.
func (q *Queue) Serve(ctx context.Context, agent string, build func(int64)) {
	for ctx.Err() == nil {
		id, err := q.Take(ctx, agent)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		build(id)
	}
}

// TakeFree gives the agent the oldest build that no other agent takes.
//
//proof:fixes oldest
func (q *Queue) TakeFree(ctx context.Context, agent string) (id int64, err error) {
	err = pgx.BeginFunc(ctx, q.pool, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT id FROM builds WHERE state = 'waiting' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrEmpty
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE builds SET state = 'building', agent = $2 WHERE id = $1`, id, agent)
		return err
	})
	return id, err
}

// Cancel is right: it names the build, and would rather fail than wait.
func (q *Queue) Cancel(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, q.pool, func(tx pgx.Tx) error {
		var state string
		if err := tx.QueryRow(ctx, `SELECT state FROM builds WHERE id = $1 FOR UPDATE NOWAIT`, id).Scan(&state); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE builds SET state = 'cancelled' WHERE id = $1`, id)
		return err
	})
}
