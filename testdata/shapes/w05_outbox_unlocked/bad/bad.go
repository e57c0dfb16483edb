package bad

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
	rows, err := tx.Query(ctx, `SELECT id, body FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 100`) // expect: skiplocked
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
