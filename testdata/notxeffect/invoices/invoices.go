// Package invoices numbers invoices without gaps: queries on whatever can run
// them, as generators write them.
package invoices

import (
	"context"
	"database/sql"
)

// DBTX is what the queries run on.
type DBTX interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Queries runs the statements.
type Queries struct{ db DBTX }

// WithTx returns the queries on a transaction.
func (q *Queries) WithTx(tx *sql.Tx) *Queries { return &Queries{db: tx} }

const lockYear = `SELECT pg_advisory_xact_lock(4711, $1)`

func (q *Queries) lockYear(ctx context.Context, year int) error {
	_, err := q.db.ExecContext(ctx, lockYear, year)
	return err
}

func (q *Queries) nextNumber(ctx context.Context, year int) (n int, err error) {
	err = q.db.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) + 1 FROM invoices WHERE year = $1`, year).Scan(&n)
	return n, err
}

func (q *Queries) insert(ctx context.Context, year, number int) error {
	_, err := q.db.ExecContext(ctx, `INSERT INTO invoices (year, number) VALUES ($1, $2)`, year, number)
	return err
}

// Office writes invoices.
type Office struct {
	db *sql.DB
	q  *Queries
}

// NewOffice returns an office over the database.
func NewOffice(db *sql.DB) *Office { return &Office{db: db, q: &Queries{db: db}} }

// Write writes the next invoice of the year. The lock ends with the statement
// that takes it.
func (o *Office) Write(ctx context.Context, year int) (int, error) {
	if err := o.q.lockYear(ctx, year); err != nil { // want "outside a transaction"
		return 0, err
	}
	return write(ctx, o.q, year)
}

// WriteInTx holds the lock until the invoice is there.
//
//proof:fixes (*Office).Write
func (o *Office) WriteInTx(ctx context.Context, year int) (n int, err error) {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	q := o.q.WithTx(tx)
	if err := q.lockYear(ctx, year); err != nil {
		return 0, err
	}
	if n, err = write(ctx, q, year); err != nil {
		return 0, err
	}
	return n, tx.Commit()
}

func write(ctx context.Context, q *Queries, year int) (int, error) {
	n, err := q.nextNumber(ctx, year)
	if err != nil {
		return 0, err
	}
	return n, q.insert(ctx, year, n)
}
