// Package postgres implements the ports.
package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u21_hexagonal/good"
)

type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

type txKey struct{}

type DB struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *DB { return &DB{pool} }

func (d *DB) WithinTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		return fn(context.WithValue(ctx, txKey{}, tx))
	})
}

func (d *DB) conn(ctx context.Context) querier {
	if tx, ok := ctx.Value(txKey{}).(pgx.Tx); ok {
		return tx
	}
	return d.pool
}

type Items struct{ db *DB }

func NewItems(db *DB) *Items { return &Items{db} }

func (r *Items) ByID(ctx context.Context, id int64, lock bool) (good.Item, error) {
	query := `SELECT id, quantity FROM items WHERE id = $1`
	if lock {
		query += ` FOR NO KEY UPDATE`
	}
	var it good.Item
	err := r.db.conn(ctx).QueryRow(ctx, query, id).Scan(&it.ID, &it.Quantity)
	return it, err
}

func (r *Items) Update(ctx context.Context, it good.Item) error {
	_, err := r.db.conn(ctx).Exec(ctx, `UPDATE items SET quantity = $1 WHERE id = $2`, it.Quantity, it.ID)
	return err
}
