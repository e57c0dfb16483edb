// Package bad lets a method of the domain change what was read.
package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrPoor = errors.New("not enough money")

type Account struct {
	id      int64
	balance int64
}

func (a *Account) Withdraw(n int64) error {
	if n > a.balance {
		return ErrPoor
	}
	a.balance -= n
	return nil
}

type Accounts struct{ pool *pgxpool.Pool }

func (r *Accounts) Find(ctx context.Context, id int64) (*Account, error) {
	a := &Account{id: id}
	err := r.pool.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1`, id).Scan(&a.balance)
	if err != nil {
		return nil, err
	}
	return a, nil
}

func (r *Accounts) Store(ctx context.Context, a *Account) error {
	_, err := r.pool.Exec(ctx, `UPDATE accounts SET balance = $1 WHERE id = $2`, a.balance, a.id)
	return err
}

type Service struct{ accounts *Accounts }

func (s *Service) Withdraw(ctx context.Context, id, n int64) error {
	acc, err := s.accounts.Find(ctx, id)
	if err != nil {
		return err
	}
	if err := acc.Withdraw(n); err != nil {
		return err
	}
	return s.accounts.Store(ctx, acc) // expect: lostupdate
}
