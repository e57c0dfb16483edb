// Package export reads a large table in pieces: a cursor on a connection taken
// from a pgx pool.
package export

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Exporter exports customers.
type Exporter struct{ pool *pgxpool.Pool }

// NewExporter returns an exporter over the pool.
func NewExporter(pool *pgxpool.Pool) *Exporter { return &Exporter{pool: pool} }

const (
	declare = `DECLARE names CURSOR FOR SELECT name FROM customers ORDER BY name`
	fetch   = `FETCH 2 FROM names`
)

// Names passes all names to each. Without a transaction PostgreSQL has nothing
// that the cursor could live in.
func (e *Exporter) Names(ctx context.Context, each func(string) error) error {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, declare); err != nil { // want "outside a transaction"
		return err
	}
	return fetchAll(ctx, conn.Conn(), each)
}

// NamesInTx keeps the cursor in a transaction.
//
//proof:fixes (*Exporter).Names
func (e *Exporter) NamesInTx(ctx context.Context, each func(string) error) error {
	return pgx.BeginTxFunc(ctx, e.pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, declare); err != nil {
			return err
		}
		return fetchAll(ctx, tx, each)
	})
}

// querier is a session or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func fetchAll(ctx context.Context, q querier, each func(string) error) error {
	for {
		rows, err := q.Query(ctx, fetch)
		if err != nil {
			return err
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(names) == 0 {
			return err
		}
		for _, name := range names {
			if err := each(name); err != nil {
				return err
			}
		}
	}
}

// Try deletes the customers that a test import has left, but not for real: it
// only counts how many there are. The savepoint of a session without a
// transaction is an error.
func (e *Exporter) Try(ctx context.Context) (n int64, err error) {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `SAVEPOINT before`); err != nil { // want "outside a transaction"
		return 0, err
	}
	tag, err := conn.Exec(ctx, `DELETE FROM customers WHERE name LIKE 'test %'`)
	if err != nil {
		return 0, err
	}
	_, err = conn.Exec(ctx, `ROLLBACK TO before`)
	return tag.RowsAffected(), err
}

// TryInTx rolls the whole transaction back.
//
//proof:fixes (*Exporter).Try
func (e *Exporter) TryInTx(ctx context.Context) (n int64, err error) {
	tx, err := e.pool.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, tx.Rollback(ctx)) }()
	tag, err := tx.Exec(ctx, `DELETE FROM customers WHERE name LIKE 'test %'`)
	return tag.RowsAffected(), err
}
