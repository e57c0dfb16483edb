// Package transfers moves money between accounts: database/sql.
package transfers

import (
	"context"
	"database/sql"
	"fmt"
)

// Bank keeps accounts.
type Bank struct{ db *sql.DB }

// NewBank returns a bank over the database.
func NewBank(db *sql.DB) *Bank { return &Bank{db: db} }

// Transfer moves the amount. The note is written through the pool: it says
// that money has moved, whether it has or not.
func (b *Bank) Transfer(ctx context.Context, from, to, cents int64) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := add(ctx, tx, from, -cents); err != nil {
		return err
	}
	if err := b.note(ctx, "moved", from, to, cents); err != nil { // want "outside the transaction"
		return err
	}
	if err := add(ctx, tx, to, cents); err != nil {
		return err
	}
	return tx.Commit()
}

// TransferAll writes the note in the transaction.
//
//proof:fixes (*Bank).Transfer
func (b *Bank) TransferAll(ctx context.Context, from, to, cents int64) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := add(ctx, tx, from, -cents); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, insertNote, "moved", from, to, cents); err != nil {
		return err
	}
	if err := add(ctx, tx, to, cents); err != nil {
		return err
	}
	return tx.Commit()
}

// TransferAudited is right as well: the note says only that somebody has
// tried, and has to stay if the transfer fails.
func (b *Bank) TransferAudited(ctx context.Context, from, to, cents int64) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := add(ctx, tx, from, -cents); err != nil {
		return err
	}
	//pgtxvet:ignore poolintx an attempt is on record even if the transfer fails
	if err := b.note(ctx, "tried", from, to, cents); err != nil {
		return err
	}
	if err := add(ctx, tx, to, cents); err != nil {
		return err
	}
	return tx.Commit()
}

// TransferNoted is right as well: the pool is used before the transaction and
// after it.
func (b *Bank) TransferNoted(ctx context.Context, from, to, cents int64) error {
	if err := b.note(ctx, "tried", from, to, cents); err != nil {
		return err
	}
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := add(ctx, tx, from, -cents); err != nil {
		return err
	}
	if err := add(ctx, tx, to, cents); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return b.note(ctx, "moved", from, to, cents)
}

func add(ctx context.Context, tx *sql.Tx, account, cents int64) error {
	result, err := tx.ExecContext(ctx, `UPDATE accounts SET cents = cents + $2 WHERE id = $1`, account, cents)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return fmt.Errorf("account %d: %d rows, %v", account, n, err)
	}
	return nil
}

const insertNote = `INSERT INTO notes (what, sender, receiver, cents) VALUES ($1, $2, $3, $4)`

func (b *Bank) note(ctx context.Context, what string, from, to, cents int64) error {
	_, err := b.db.ExecContext(ctx, insertNote, what, from, to, cents)
	return err
}
