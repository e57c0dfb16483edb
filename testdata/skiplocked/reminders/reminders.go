// Package reminders reminds people of appointments.
package reminders

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const next = `
	UPDATE reminders SET sent_at = now()
	WHERE id = (SELECT id FROM reminders WHERE sent_at IS NULL AND due_at <= now() ORDER BY due_at LIMIT 1)
	RETURNING id`

// Worker sends reminders.
type Worker struct {
	pool   *pgxpool.Pool
	remind func(ctx context.Context, id int64) error
}

// NewWorker returns a worker that sends with remind.
func NewWorker(pool *pgxpool.Pool, remind func(ctx context.Context, id int64) error) *Worker {
	return &Worker{pool: pool, remind: remind}
}

// RemindNext sends the next reminder. The subquery locks nothing: a second
// worker picks the same row, waits for it, and finds it by its key.
func (w *Worker) RemindNext(ctx context.Context) error {
	return w.inTx(ctx, next) // want "subquery picks rows of reminders"
}

// RemindNextFree sends the next reminder that no other worker sends.
//
//proof:fixes (*Worker).RemindNext
func (w *Worker) RemindNextFree(ctx context.Context) error {
	return w.inTx(ctx, `
		UPDATE reminders SET sent_at = now()
		WHERE id = (SELECT id FROM reminders WHERE sent_at IS NULL AND due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id`)
}

// RemindNextGuarded is right, if slower: the second worker finds that its row
// has been sent, and goes home.
func (w *Worker) RemindNextGuarded(ctx context.Context) error {
	return w.inTx(ctx, `
		UPDATE reminders SET sent_at = now()
		WHERE sent_at IS NULL
			AND id = (SELECT id FROM reminders WHERE sent_at IS NULL AND due_at <= now() ORDER BY due_at LIMIT 1)
		RETURNING id`)
}

func (w *Worker) inTx(ctx context.Context, claim string) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		var id int64
		err := tx.QueryRow(ctx, claim).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return w.remind(ctx, id)
	})
}
