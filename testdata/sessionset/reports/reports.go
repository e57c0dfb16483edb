// Package reports builds slow reports: database/sql.
package reports

import (
	"context"
	"database/sql"
)

// Builder builds reports.
type Builder struct{ db *sql.DB }

// NewBuilder returns a builder over the database.
func NewBuilder(db *sql.DB) *Builder { return &Builder{db: db} }

const total = `SELECT coalesce(sum(amount), 0) FROM sales`

// Total sums the sales, and may take its time. Without LOCAL the commit keeps
// the setting, and the connection goes back to the pool with it.
func (b *Builder) Total(ctx context.Context) (sum int64, err error) {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `SET statement_timeout = 0`); err != nil { // want "session"
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, total).Scan(&sum); err != nil {
		return 0, err
	}
	return sum, tx.Commit()
}

// TotalLocal sums the sales with a setting that ends with the transaction.
//
//proof:fixes (*Builder).Total
func (b *Builder) TotalLocal(ctx context.Context) (sum int64, err error) {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, total).Scan(&sum); err != nil {
		return 0, err
	}
	return sum, tx.Commit()
}
