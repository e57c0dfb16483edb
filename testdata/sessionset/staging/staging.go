// Package staging merges rows through a temporary table: sqlx.
package staging

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// Row is one row to merge.
type Row struct {
	SKU string `db:"sku"`
	Qty int    `db:"qty"`
}

// Merger merges rows into the stock.
type Merger struct{ db *sqlx.DB }

// NewMerger returns a merger over the database.
func NewMerger(db *sqlx.DB) *Merger { return &Merger{db: db} }

const (
	fill  = `INSERT INTO incoming (sku, qty) VALUES (:sku, :qty)`
	merge = `
		INSERT INTO stock (sku, qty) SELECT sku, sum(qty) FROM incoming GROUP BY sku
		ON CONFLICT (sku) DO UPDATE SET qty = stock.qty + excluded.qty`
)

// Merge adds the rows to the stock. The table belongs to whichever connection
// created it, and stays there.
func (m *Merger) Merge(ctx context.Context, rows []Row) error {
	if _, err := m.db.ExecContext(ctx, `CREATE TEMP TABLE incoming (sku text, qty int)`); err != nil { // want "session"
		return err
	}
	if _, err := m.db.NamedExecContext(ctx, fill, rows); err != nil {
		return err
	}
	_, err := m.db.ExecContext(ctx, merge)
	return err
}

// MergeInTx keeps to one connection, and the table ends with the transaction.
//
//proof:fixes (*Merger).Merge
func (m *Merger) MergeInTx(ctx context.Context, rows []Row) error {
	tx, err := m.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `CREATE TEMP TABLE incoming (sku text, qty int) ON COMMIT DROP`); err != nil {
		return err
	}
	if _, err := tx.NamedExecContext(ctx, fill, rows); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, merge); err != nil {
		return err
	}
	return tx.Commit()
}
