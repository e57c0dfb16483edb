// Package app runs statements of another package in transactions.
package app

import (
	"context"
	"database/sql"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/s34_variables_of_other_packages/good/stmts"
)

func Claim(ctx context.Context, db *sql.DB) (id int64, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if err = tx.QueryRowContext(ctx, stmts.Claim).Scan(&id); err != nil {
		return 0, err
	}
	if _, err = tx.ExecContext(ctx, "UPDATE tickets SET state = 'taken' WHERE id = $1", id); err != nil {
		return 0, err
	}
	return id, tx.Commit()
}

func Prepare(ctx context.Context, tx *sql.Tx) error {
	for _, name := range []string{"timeout", "guard", "defer"} {
		if _, err := tx.ExecContext(ctx, stmts.ByState[name]); err != nil {
			return err
		}
	}
	return nil
}

// Plain takes the hint away, so what it is is not known.
func Plain() { stmts.Hint = "SELECT 1" }

func Hinted(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, stmts.Hint)
	return err
}
