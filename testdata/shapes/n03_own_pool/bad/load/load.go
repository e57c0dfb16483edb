// Package load fills tables of the program's own database.
package load

import (
	"context"
	"database/sql"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/n03_own_pool/bad/counted"
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

// A Counted is a Loader whose transactions are counted.
type Counted struct {
	DB    *counted.DB
	files Counter
}

func NewCounted(db *sql.DB, files Counter) *Counted {
	return &Counted{DB: counted.New(db), files: files}
}

func (c *Counted) Load(ctx context.Context) error {
	return c.DB.WithTx(ctx, func(tx *sql.Tx) error {
		n, err := c.files.Count(ctx) // expect: poolintx
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO loads (files) VALUES ($1)`, n)
		return err
	})
}
