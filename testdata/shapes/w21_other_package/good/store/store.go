package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

type Reminders struct{ tx pgx.Tx }

func New(tx pgx.Tx) *Reminders { return &Reminders{tx: tx} }

func (r *Reminders) Oldest(ctx context.Context) (id int64, err error) {
	err = r.tx.QueryRow(ctx, `SELECT id FROM reminders WHERE sent = false AND due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`).Scan(&id)
	return id, err
}

func (r *Reminders) MarkSent(ctx context.Context, id int64) error {
	_, err := r.tx.Exec(ctx, `UPDATE reminders SET sent = true WHERE id = $1`, id)
	return err
}
