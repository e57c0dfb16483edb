package good

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

type event struct {
	id   int64
	body []byte
}

type Relay struct {
	pool    *pgxpool.Pool
	publish func(context.Context, []byte) error
}

func (r *Relay) Run(ctx context.Context) {
	for {
		_ = r.flush(ctx)
		time.Sleep(time.Second)
	}
}

func (r *Relay) flush(ctx context.Context) error {
	tx, err := r.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	rows, err := tx.Query(ctx, `SELECT id, body FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var events []event
	for rows.Next() {
		var e event
		if err := rows.Scan(&e.id, &e.body); err != nil {
			return err
		}
		events = append(events, e)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, e := range events {
		if err := r.publish(ctx, e.body); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE outbox SET published_at = now() WHERE id = $1`, e.id); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// Pending is for a page: what is read is not marked.
func (r *Relay) Pending(ctx context.Context) (n int, err error) {
	rows, err := r.pool.Query(ctx, `SELECT id, body FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 20`)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// Skip marks one event by hand, after a look at what waits.
func (r *Relay) Skip(ctx context.Context, id int64) error {
	if _, err := r.Pending(ctx); err != nil {
		return err
	}
	_, err := r.pool.Exec(ctx, `UPDATE outbox SET published_at = now() WHERE id = $1`, id)
	return err
}
