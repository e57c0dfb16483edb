// Package load fills the database of a customer.
package load

import (
	"context"
	"database/sql"
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
