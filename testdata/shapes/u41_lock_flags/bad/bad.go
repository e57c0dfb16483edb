// Package bad has a read that would lock if it were told to.
package bad

import (
	"context"
	"errors"
	"fmt"

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

func (b *Bank) get(ctx context.Context, tx pgx.Tx, id int64, mode LockMode) (a Account, err error) {
	err = tx.QueryRow(ctx, fmt.Sprintf(`SELECT id, balance FROM accounts WHERE id = $1 %s`, mode), id).Scan(&a.ID, &a.Balance)
	return a, err
}

func (b *Bank) Withdraw(ctx context.Context, id, n int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		a, err := b.get(ctx, tx, id, NoLock)
		if err != nil {
			return err
		}
		if a.Balance < n {
			return ErrPoor
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, a.Balance-n) // expect: lostupdate
		return err
	})
}

func (b *Bank) Balance(ctx context.Context, id int64) (a Account, err error) {
	err = pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		a, err = b.get(ctx, tx, id, ForUpdate)
		return err
	})
	return a, err
}
