// Package good reads and writes what its callers have locked.
package good

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrPoor = errors.New("poor")

type Ledger struct{ pool *pgxpool.Pool }

func (l *Ledger) post(ctx context.Context, tx pgx.Tx, id, n int64) error {
	var balance int64
	if err := tx.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1`, id).Scan(&balance); err != nil {
		return err
	}
	if balance+n < 0 {
		return ErrPoor
	}
	_, err := tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, balance+n)
	return err
}

func (l *Ledger) lock(ctx context.Context, tx pgx.Tx, ids ...int64) error {
	_, err := tx.Exec(ctx, `SELECT 1 FROM accounts WHERE id = ANY($1) ORDER BY id FOR UPDATE`, ids)
	return err
}

func (l *Ledger) Transfer(ctx context.Context, from, to, n int64) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		if err := l.lock(ctx, tx, from, to); err != nil {
			return err
		}
		if err := l.post(ctx, tx, from, -n); err != nil {
			return err
		}
		return l.post(ctx, tx, to, n)
	})
}

// Adjust is called by the owner of the row's lock, which nobody here is.
func Adjust(ctx context.Context, tx *sql.Tx, id, n int64) error {
	var balance int64
	if err := tx.QueryRowContext(ctx, `SELECT balance FROM accounts WHERE id = $1`, id).Scan(&balance); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, balance+n)
	return err
}

// Lines is locked through its parent.
func (l *Ledger) AddLine(ctx context.Context, order int64, cents int64) error {
	tx, err := l.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	var state string
	if err := tx.QueryRow(ctx, `SELECT state FROM orders WHERE id = $1 FOR NO KEY UPDATE`, order).Scan(&state); err != nil {
		return err
	}
	var total int64
	if err := tx.QueryRow(ctx, `SELECT total FROM order_totals WHERE order_id = $1`, order).Scan(&total); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE order_totals SET total = $2 WHERE order_id = $1`, order, total+cents); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Close is serialized by a row that is updated first.
func (l *Ledger) Close(ctx context.Context, order int64) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE orders SET touched_at = now() WHERE id = $1`, order); err != nil {
			return err
		}
		var total int64
		if err := tx.QueryRow(ctx, `SELECT total FROM orders WHERE id = $1`, order).Scan(&total); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE orders SET total = $2, state = 'closed' WHERE id = $1`, order, total*102/100)
		return err
	})
}
