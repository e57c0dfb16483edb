// Package tills pays money out: database/sql.
package tills

import (
	"context"
	"database/sql"
	"errors"
)

// ErrShort says that there is not enough money.
var ErrShort = errors.New("not enough money")

// A Bank has accounts.
type Bank struct{ db *sql.DB }

// NewBank returns a bank over the database.
func NewBank(db *sql.DB) *Bank { return &Bank{db: db} }

const debit = `UPDATE accounts SET balance = balance - $2 WHERE id = $1 AND balance >= $2`

// Withdraw takes money from an account and notes that it is to be paid out. It
// is paid out whether it was there or not.
func (b *Bank) Withdraw(ctx context.Context, account, amount int64) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, debit, account, amount) // want `UPDATE of accounts changes: where "balance >= \$2"`
	if err != nil {
		return err
	}
	if _, err := res.RowsAffected(); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO payouts (account_id, amount) VALUES ($1, $2)`, account, amount); err != nil {
		return err
	}
	return tx.Commit()
}

// WithdrawChecked takes money that is there.
//
//proof:fixes (*Bank).Withdraw
func (b *Bank) WithdrawChecked(ctx context.Context, account, amount int64) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, debit, account, amount)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrShort
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO payouts (account_id, amount) VALUES ($1, $2)`, account, amount); err != nil {
		return err
	}
	return tx.Commit()
}

// WithdrawLocked has looked at the balance under a lock, so that the guard holds.
func (b *Bank) WithdrawLocked(ctx context.Context, account, amount int64) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var balance int64
	if err := tx.QueryRowContext(ctx, `SELECT balance FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, account).Scan(&balance); err != nil {
		return err
	}
	if balance < amount {
		return ErrShort
	}
	if _, err := tx.ExecContext(ctx, debit, account, amount); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO payouts (account_id, amount) VALUES ($1, $2)`, account, amount); err != nil {
		return err
	}
	return tx.Commit()
}
