// Package store writes accounts, in a transaction of its own, as the user that the
// context carries.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/s36_user_in_context/bad/users"
)

// Accounts are the accounts.
type Accounts struct{ db *sql.DB }

// New returns the accounts in a database.
func New(db *sql.DB) *Accounts { return &Accounts{db: db} }

// Close closes an account. Whether there is a user says nothing about a
// transaction, so this is said here and not where it is called.
func (a *Accounts) Close(ctx context.Context, id int) error {
	user, ok := users.From(ctx)
	if !ok {
		return errors.New("nobody asks")
	}
	tx, err := a.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("SET app.user_id = %d", user.ID)); err != nil { // expect: sessionset
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE accounts SET closed = true WHERE id = $1", id); err != nil {
		return err
	}
	return tx.Commit()
}
