// Package load fills tables of the program's own database.
package load

import (
	"context"
	"database/sql"
)

type Counter interface {
	Count(ctx context.Context) (int, error)
}

type Loader struct {
	db    *sql.DB
	files Counter
}

func New(db *sql.DB, files Counter) *Loader { return &Loader{db: db, files: files} }

func (l *Loader) Load(ctx context.Context) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	n, err := l.files.Count(ctx) // expect: poolintx
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO loads (files) VALUES ($1)`, n); err != nil {
		return err
	}
	return tx.Commit()
}
