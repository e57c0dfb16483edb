// Package good has reads that lock when they are told to.
package good

import (
	"context"
	"errors"
	"fmt"

	sq "github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrPoor = errors.New("poor")

type Account struct {
	ID      int64 `db:"id"`
	Balance int64 `db:"balance"`
}

type Bank struct{ pool *pgxpool.Pool }

type LockMode string

const (
	NoLock    LockMode = ""
	ForUpdate LockMode = "FOR NO KEY UPDATE"
)

// A mode that is a piece of the text.
func (b *Bank) get(ctx context.Context, tx pgx.Tx, id int64, mode LockMode) (a Account, err error) {
	err = tx.QueryRow(ctx, fmt.Sprintf(`SELECT id, balance FROM accounts WHERE id = $1 %s`, mode), id).Scan(&a.ID, &a.Balance)
	return a, err
}

func (b *Bank) Withdraw(ctx context.Context, id, n int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		a, err := b.get(ctx, tx, id, ForUpdate)
		if err != nil {
			return err
		}
		if a.Balance < n {
			return ErrPoor
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, a.Balance-n)
		return err
	})
}

// Options of a struct.
type Options struct{ Lock bool }

func (b *Bank) find(ctx context.Context, tx pgx.Tx, id int64, o Options) (a Account, err error) {
	q := sq.Select("id", "balance").From("accounts").Where(sq.Eq{"id": id}).PlaceholderFormat(sq.Dollar)
	if o.Lock {
		q = q.Suffix("FOR UPDATE")
	}
	text, args, err := q.ToSql()
	if err != nil {
		return a, err
	}
	err = tx.QueryRow(ctx, text, args...).Scan(&a.ID, &a.Balance)
	return a, err
}

func (b *Bank) WithdrawFound(ctx context.Context, id, n int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		a, err := b.find(ctx, tx, id, Options{Lock: true})
		if err != nil {
			return err
		}
		if a.Balance < n {
			return ErrPoor
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, a.Balance-n)
		return err
	})
}

// Functional options.
type option func(*string)

func forUpdate(q *string) { *q += " FOR UPDATE" }

func (b *Bank) read(ctx context.Context, tx pgx.Tx, id int64, opts ...option) (a Account, err error) {
	q := `SELECT id, balance FROM accounts WHERE id = $1`
	for _, o := range opts {
		o(&q)
	}
	err = tx.QueryRow(ctx, q, id).Scan(&a.ID, &a.Balance)
	return a, err
}

func (b *Bank) WithdrawRead(ctx context.Context, id, n int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		a, err := b.read(ctx, tx, id, forUpdate)
		if err != nil {
			return err
		}
		if a.Balance < n {
			return ErrPoor
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, a.Balance-n)
		return err
	})
}
