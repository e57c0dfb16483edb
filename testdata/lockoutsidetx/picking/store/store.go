// Package store stores orders.
package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/picking"
)

type dbtx interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Begin(ctx context.Context) (pgx.Tx, error)
}

// Orders implements [picking.Orders].
type Orders struct{ db dbtx }

var _ picking.Orders = (*Orders)(nil)

// New returns a repository over the pool.
func New(pool *pgxpool.Pool) *Orders { return &Orders{db: pool} }

// Get returns the order, and locks it if asked to.
func (o *Orders) Get(ctx context.Context, id int64, lock bool) (order picking.Order, err error) {
	query := `SELECT id, picker FROM orders WHERE id = $1`
	if lock {
		query += ` FOR UPDATE`
	}
	err = o.db.QueryRow(ctx, query, id).Scan(&order.ID, &order.Picker)
	return order, err
}

// Assign writes the picker.
func (o *Orders) Assign(ctx context.Context, id int64, picker string) error {
	_, err := o.db.Exec(ctx, `UPDATE orders SET picker = $2 WHERE id = $1`, id, picker)
	return err
}

// InTx hands fn a repository over a transaction.
func (o *Orders) InTx(ctx context.Context, fn func(picking.Orders) error) error {
	return pgx.BeginFunc(ctx, o.db, func(tx pgx.Tx) error { return fn(&Orders{db: tx}) })
}
