// Package load fills the database of a customer.
package load

import (
	"context"
	"database/sql"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/n03_own_pool/good/counted"
)

type Counter interface {
	Count(ctx context.Context) (int, error)
}

type Customer struct {
	db    *sql.DB
	dsn   string
	files Counter
}

func New(dsn string, files Counter) *Customer { return &Customer{dsn: dsn, files: files} }

func (c *Customer) connect() (*sql.DB, error) { return sql.Open("pgx", c.dsn) }

func (c *Customer) Setup() (err error) {
	c.db, err = c.connect()
	return err
}

func (c *Customer) Load(ctx context.Context) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	n, err := c.files.Count(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO loads (files) VALUES ($1)`, n); err != nil {
		return err
	}
	return tx.Commit()
}

// A Region is a Customer whose transactions are counted.
type Region struct {
	DB    *counted.DB
	dsn   string
	files Counter
}

func NewRegion(dsn string, files Counter) *Region { return &Region{dsn: dsn, files: files} }

func (r *Region) connect() (*counted.DB, error) {
	db, err := sql.Open("pgx", r.dsn)
	if err != nil {
		return nil, err
	}
	return counted.New(db), nil
}

func (r *Region) Setup() (err error) {
	r.DB, err = r.connect()
	return err
}

func (r *Region) Load(ctx context.Context) error {
	return r.DB.WithTx(ctx, func(tx *sql.Tx) error {
		n, err := r.files.Count(ctx)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO loads (files) VALUES ($1)`, n)
		return err
	})
}
