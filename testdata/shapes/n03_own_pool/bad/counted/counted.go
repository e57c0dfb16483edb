// Package counted counts transactions.
package counted

import (
	"context"
	"database/sql"
)

type DB struct {
	*sql.DB
	begun int
}

func New(db *sql.DB) *DB { return &DB{DB: db} }

func (db *DB) WithTx(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	db.begun++
	if err := fn(tx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}
