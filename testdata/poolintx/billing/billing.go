// Package billing bills customers: database/sql, and flags that are kept in
// the database too.
package billing

import (
	"context"
	"database/sql"

	"github.com/pgtxvet/pgtxvet/testdata/poolintx/billing/flags"
)

// Biller bills customers.
type Biller struct{ db *sql.DB }

// NewBiller returns a biller over the database.
func NewBiller(db *sql.DB) *Biller { return &Biller{db: db} }

const (
	insertBill   = `INSERT INTO bills (customer_id, cents) VALUES ($1, $2)`
	insertPoints = `INSERT INTO points (customer_id, points) VALUES ($1, $2)`
)

// Bill asks for a flag, which does not look like a query.
func (b *Biller) Bill(ctx context.Context, customer, cents int64) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, insertBill, customer, cents); err != nil {
		return err
	}
	if flags.Enabled(ctx, "points") { // want "outside the transaction"
		if _, err := tx.ExecContext(ctx, insertPoints, customer, cents/100); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// BillAsked asks before it begins.
//
//proof:fixes (*Biller).Bill
func (b *Biller) BillAsked(ctx context.Context, customer, cents int64) error {
	points := flags.Enabled(ctx, "points")
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, insertBill, customer, cents); err != nil {
		return err
	}
	if points {
		if _, err := tx.ExecContext(ctx, insertPoints, customer, cents/100); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// BillKnown is right as well: a flag that is remembered needs no connection.
func (b *Biller) BillKnown(ctx context.Context, customer, cents int64) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, insertBill, customer, cents); err != nil {
		return err
	}
	if flags.Remembered("points") {
		if _, err := tx.ExecContext(ctx, insertPoints, customer, cents/100); err != nil {
			return err
		}
	}
	return tx.Commit()
}
