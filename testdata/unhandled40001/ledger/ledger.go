// Package ledger posts amounts to accounts: loops at the wrong places, on a
// pgx pool.
package ledger

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Ledger holds accounts.
type Ledger struct{ pool *pgxpool.Pool }

// New returns a ledger over the pool.
func New(pool *pgxpool.Pool) *Ledger { return &Ledger{pool: pool} }

var repeatableRead = pgx.TxOptions{IsoLevel: pgx.RepeatableRead}

const (
	tries   = 3
	balance = `SELECT balance FROM accounts WHERE id = $1`
	write   = `UPDATE accounts SET balance = $2 WHERE id = $1`
)

func conflict(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}

// Post adds the amount to the account. It tries again in the transaction that
// has failed: the second try gets 25P02.
func (l *Ledger) Post(ctx context.Context, id, amount int64) error {
	tx, err := l.pool.BeginTx(ctx, repeatableRead)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	for range tries {
		if err = post(ctx, tx, id, amount); !conflict(err) { // want "40001"
			break
		}
	}
	if err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// PostAgain begins again.
//
//proof:fixes (*Ledger).Post
func (l *Ledger) PostAgain(ctx context.Context, id, amount int64) (err error) {
	for range tries {
		if err = l.postOnce(ctx, id, amount); !conflict(err) {
			break
		}
	}
	return err
}

func (l *Ledger) postOnce(ctx context.Context, id, amount int64) error {
	tx, err := l.pool.BeginTx(ctx, repeatableRead)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := post(ctx, tx, id, amount); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func post(ctx context.Context, tx pgx.Tx, id, amount int64) error {
	var n int64
	if err := tx.QueryRow(ctx, balance, id).Scan(&n); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, write, id, n+amount)
	return err
}

// Correct tries again from a savepoint. PostgreSQL lets it, and answers 40001
// each time: the snapshot is still that of the first try.
func (l *Ledger) Correct(ctx context.Context, id, amount int64) error {
	return pgx.BeginTxFunc(ctx, l.pool, repeatableRead, func(tx pgx.Tx) (err error) {
		for range tries {
			err = pgx.BeginFunc(ctx, tx, func(savepoint pgx.Tx) error { // want "40001"
				return post(ctx, savepoint, id, amount)
			})
			if !conflict(err) {
				break
			}
		}
		return err
	})
}

// CorrectAgain has the loop outside.
//
//proof:fixes (*Ledger).Correct
func (l *Ledger) CorrectAgain(ctx context.Context, id, amount int64) (err error) {
	for range tries {
		err = pgx.BeginTxFunc(ctx, l.pool, repeatableRead, func(tx pgx.Tx) error {
			return post(ctx, tx, id, amount)
		})
		if !conflict(err) {
			break
		}
	}
	return err
}

// Settle repeats the commit only. What has failed is over: the second commit
// finds the transaction closed, and an earlier statement's 40001 is not looked
// at.
func (l *Ledger) Settle(ctx context.Context, id int64) error {
	tx, err := l.pool.BeginTx(ctx, repeatableRead) // want "40001"
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := post(ctx, tx, id, 0); err != nil {
		return err
	}
	for range tries {
		if err = tx.Commit(ctx); !conflict(err) {
			break
		}
	}
	return err
}

// SettleAgain repeats all of it.
//
//proof:fixes (*Ledger).Settle
func (l *Ledger) SettleAgain(ctx context.Context, id int64) error {
	for try := 0; ; try++ {
		err := l.postOnce(ctx, id, 0)
		if try < tries && conflict(err) {
			continue
		}
		return err
	}
}
