// Package accounts takes money from accounts, with pgx.
package accounts

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrPoor says that the account does not hold that much.
var ErrPoor = errors.New("not enough money")

// Bank holds accounts.
type Bank struct{ pool *pgxpool.Pool }

// NewBank returns a bank over the pool.
func NewBank(pool *pgxpool.Pool) *Bank { return &Bank{pool: pool} }

// Withdraw takes the transaction for a protection.
func (b *Bank) Withdraw(ctx context.Context, id, amount int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		var balance int64
		err := tx.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1`, id).Scan(&balance)
		if err != nil {
			return err
		}
		if balance < amount {
			return ErrPoor
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, balance-amount) // want `balance of accounts is set to a value made from the row read without a lock`
		return err
	})
}

// WithdrawLocked locks the row when it reads it.
//
//proof:fixes (*Bank).Withdraw
func (b *Bank) WithdrawLocked(ctx context.Context, id, amount int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		var balance int64
		err := tx.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, id).Scan(&balance)
		if err != nil {
			return err
		}
		if balance < amount {
			return ErrPoor
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, balance-amount)
		return err
	})
}

// WithdrawSnapshot lets PostgreSQL notice the conflict, and begins again.
//
//proof:fixes (*Bank).Withdraw
func (b *Bank) WithdrawSnapshot(ctx context.Context, id, amount int64) error {
	for try := 0; ; try++ {
		err := b.withdrawSnapshot(ctx, id, amount)
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "40001" && try < 5 {
			continue
		}
		return err
	}
}

func (b *Bank) withdrawSnapshot(ctx context.Context, id, amount int64) error {
	opts := pgx.TxOptions{IsoLevel: pgx.RepeatableRead}
	return pgx.BeginTxFunc(ctx, b.pool, opts, func(tx pgx.Tx) error {
		var balance int64
		err := tx.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1`, id).Scan(&balance)
		if err != nil {
			return err
		}
		if balance < amount {
			return ErrPoor
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, balance-amount)
		return err
	})
}

// Spend subtracts in SQL, and decides in Go.
func (b *Bank) Spend(ctx context.Context, id, amount int64) error {
	var balance int64
	err := b.pool.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1`, id).Scan(&balance)
	if err != nil {
		return err
	}
	if balance < amount {
		return ErrPoor
	}
	_, err = b.pool.Exec(ctx, `UPDATE accounts SET balance = balance - $2 WHERE id = $1`, id, amount) // want `whether balance of accounts is written was decided on the row read without a lock`
	return err
}

// SpendGuarded decides where it subtracts.
//
//proof:fixes (*Bank).Spend
func (b *Bank) SpendGuarded(ctx context.Context, id, amount int64) error {
	tag, err := b.pool.Exec(ctx, `UPDATE accounts SET balance = balance - $2 WHERE id = $1 AND balance >= $2`, id, amount)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return ErrPoor
	}
	return nil
}

// Deposit has nothing to read.
func (b *Bank) Deposit(ctx context.Context, id, amount int64) error {
	_, err := b.pool.Exec(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, id, amount)
	return err
}

// Transfer locks both accounts, in the order of their keys, before it reads them.
func (b *Bank) Transfer(ctx context.Context, from, to, amount int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `SELECT FROM accounts WHERE id IN ($1, $2) ORDER BY id FOR NO KEY UPDATE`, from, to)
		if err != nil {
			return err
		}
		var balance int64
		err = tx.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1`, from).Scan(&balance)
		if err != nil {
			return err
		}
		if balance < amount {
			return ErrPoor
		}
		if _, err := tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, from, balance-amount); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, to, amount)
		return err
	})
}

// ErrForeign says that the account is somebody else's.
var ErrForeign = errors.New("not your account")

// Rename asks who the owner is, and changes something else.
func (b *Bank) Rename(ctx context.Context, id int64, owner, title string) error {
	var of string
	err := b.pool.QueryRow(ctx, `SELECT owner FROM accounts WHERE id = $1`, id).Scan(&of)
	if err != nil {
		return err
	}
	if of != owner {
		return ErrForeign
	}
	_, err = b.pool.Exec(ctx, `UPDATE accounts SET title = $2 WHERE id = $1`, id, title)
	return err
}

// Mirror copies what one account holds into the report's table.
func (b *Bank) Mirror(ctx context.Context, id int64) error {
	var balance int64
	err := b.pool.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1`, id).Scan(&balance)
	if err != nil {
		return err
	}
	_, err = b.pool.Exec(ctx, `UPDATE account_report SET balance = $2 WHERE account_id = $1`, id, balance)
	return err
}
