// Package outbox sends what other transactions have queued: a worker with a
// pgx connection of its own.
package outbox

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Worker sends messages.
type Worker struct {
	pool *pgxpool.Pool
	send func(ctx context.Context, body string) error
}

// NewWorker returns a worker that sends with send.
func NewWorker(pool *pgxpool.Pool, send func(ctx context.Context, body string) error) *Worker {
	return &Worker{pool: pool, send: send}
}

const (
	nextMessage = `
		SELECT id, body FROM outbox WHERE sent_at IS NULL
		ORDER BY id LIMIT 1
		FOR UPDATE SKIP LOCKED`
	markSent = `UPDATE outbox SET sent_at = now() WHERE id = $1`
)

// SendNext sends the oldest message. One connection is not one transaction:
// in autocommit the claim ends before the message is sent.
func (w *Worker) SendNext(ctx context.Context) error {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var id int64
	var body string
	switch err := conn.QueryRow(ctx, nextMessage).Scan(&id, &body); { // want "row lock"
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	if err := w.send(ctx, body); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, markSent, id)
	return err
}

// SendNextInTx claims the message until it is marked.
//
//proof:fixes (*Worker).SendNext
func (w *Worker) SendNextInTx(ctx context.Context) error {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	var id int64
	var body string
	switch err := tx.QueryRow(ctx, nextMessage).Scan(&id, &body); {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	if err := w.send(ctx, body); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, markSent, id); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// SendNextText is right as well: the session's transaction is begun and ended
// as text.
func (w *Worker) SendNextText(ctx context.Context) (err error) {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // drops a connection with an open transaction
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	defer func() {
		end := "COMMIT"
		if err != nil {
			end = "ROLLBACK"
		}
		_, endErr := conn.Exec(ctx, end)
		err = errors.Join(err, endErr)
	}()
	var id int64
	var body string
	switch err := conn.QueryRow(ctx, nextMessage).Scan(&id, &body); {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	if err := w.send(ctx, body); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, markSent, id)
	return err
}
