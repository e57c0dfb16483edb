// Package bad reads and writes what its callers should have locked.
package bad

import (
	"context"
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
	_, err := tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, balance+n) // expect: lostupdate
	return err
}

func (l *Ledger) Transfer(ctx context.Context, from, to, n int64) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		if err := l.post(ctx, tx, from, -n); err != nil {
			return err
		}
		return l.post(ctx, tx, to, n)
	})
}
