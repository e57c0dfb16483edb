// Package carts puts items into shopping carts: a pgx pool and BeginFunc.
package carts

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Carts are filled by many requests at a time.
type Carts struct{ pool *pgxpool.Pool }

// New returns carts over the pool.
func New(pool *pgxpool.Pool) *Carts { return &Carts{pool: pool} }

const (
	touch   = `UPDATE carts SET touched_at = now() WHERE id = $1`
	price   = `SELECT cents FROM items WHERE name = $1`
	addItem = `INSERT INTO cart_items (cart_id, item, cents) VALUES ($1, $2, $3)`
)

// Add looks the price up with a second connection. As many requests as the
// pool has connections wait for each other.
func (c *Carts) Add(ctx context.Context, cart int64, item string) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, touch, cart); err != nil {
			return err
		}
		var cents int64
		if err := c.pool.QueryRow(ctx, price, item).Scan(&cents); err != nil { // want "outside the transaction"
			return err
		}
		_, err := tx.Exec(ctx, addItem, cart, item, cents)
		return err
	})
}

// AddOnOne looks the price up in the transaction.
//
//proof:fixes (*Carts).Add
func (c *Carts) AddOnOne(ctx context.Context, cart int64, item string) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, touch, cart); err != nil {
			return err
		}
		var cents int64
		if err := tx.QueryRow(ctx, price, item).Scan(&cents); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, addItem, cart, item, cents)
		return err
	})
}

// Merge moves the items of one cart into another, over two connections.
func (c *Carts) Merge(ctx context.Context, from, to int64) error {
	tx, err := c.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, touch, to); err != nil {
		return err
	}
	conn, err := c.pool.Acquire(ctx) // want "outside the transaction"
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `UPDATE cart_items SET cart_id = $2 WHERE cart_id = $1`, from, to); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// MergeOnSession is right: a transaction that is begun on a session is that
// session's, and so is what the session does meanwhile.
//
//proof:fixes (*Carts).Merge
func (c *Carts) MergeOnSession(ctx context.Context, from, to int64) error {
	conn, err := c.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, touch, to); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, `UPDATE cart_items SET cart_id = $2 WHERE cart_id = $1`, from, to); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
