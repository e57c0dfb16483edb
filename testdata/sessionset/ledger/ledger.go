// Package ledger moves money between accounts: a transaction begun as text.
package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Ledger moves money.
type Ledger struct{ pool *pgxpool.Pool }

// NewLedger returns a ledger over the pool.
func NewLedger(pool *pgxpool.Pool) *Ledger { return &Ledger{pool: pool} }

const (
	withdraw = `UPDATE accounts SET balance = balance - $2 WHERE id = $1`
	deposit  = `UPDATE accounts SET balance = balance + $2 WHERE id = $1`
)

// Move moves the amount. BEGIN opens a transaction on some connection, which
// the pool throws away when it comes back with it; what follows commits
// statement by statement.
func (l *Ledger) Move(ctx context.Context, from, to, amount int64) error {
	if _, err := l.pool.Exec(ctx, `BEGIN`); err != nil { // want "session"
		return err
	}
	for _, step := range []struct {
		sql     string
		account int64
	}{{withdraw, from}, {deposit, to}} {
		if _, err := l.pool.Exec(ctx, step.sql, step.account, amount); err != nil {
			_, _ = l.pool.Exec(ctx, `ROLLBACK`)
			return err
		}
	}
	_, err := l.pool.Exec(ctx, `COMMIT`)
	return err
}

// MoveInTx moves the amount in a transaction.
//
//proof:fixes (*Ledger).Move
func (l *Ledger) MoveInTx(ctx context.Context, from, to, amount int64) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, withdraw, from, amount); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, deposit, to, amount)
		return err
	})
}
