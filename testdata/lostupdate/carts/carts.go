// Package carts changes carts through a function that the caller gives, with
// database/sql.
package carts

import (
	"context"
	"database/sql"
)

// Cart is what a customer is going to buy.
type Cart struct {
	ID    int64
	Items int
	Cents int64
}

// Store keeps carts.
type Store struct{ db *sql.DB }

// NewStore returns a store over the database.
func NewStore(db *sql.DB) *Store { return &Store{db: db} }

func (s *Store) inTx(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func scanCart(row *sql.Row) (*Cart, error) {
	var c Cart
	if err := row.Scan(&c.ID, &c.Items, &c.Cents); err != nil {
		return nil, err
	}
	return &c, nil
}

func save(ctx context.Context, tx *sql.Tx, c *Cart) error {
	_, err := tx.ExecContext(ctx, `UPDATE carts SET items = $2, cents = $3 WHERE id = $1`, c.ID, c.Items, c.Cents)
	return err
}

// Update reads a cart, lets fn change it and writes it back.
func (s *Store) Update(ctx context.Context, id int64, fn func(*Cart) error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		c, err := scanCart(tx.QueryRowContext(ctx, `SELECT id, items, cents FROM carts WHERE id = $1`, id))
		if err != nil {
			return err
		}
		if err := fn(c); err != nil {
			return err
		}
		return save(ctx, tx, c) // want `items, cents of carts is set to a value made from the row read without a lock`
	})
}

// UpdateLocked has the cart to itself until it is written back.
//
//proof:fixes (*Store).Update
func (s *Store) UpdateLocked(ctx context.Context, id int64, fn func(*Cart) error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		c, err := scanCart(tx.QueryRowContext(ctx, `SELECT id, items, cents FROM carts WHERE id = $1 FOR NO KEY UPDATE`, id))
		if err != nil {
			return err
		}
		if err := fn(c); err != nil {
			return err
		}
		return save(ctx, tx, c)
	})
}

// Open creates a cart, reads it back and fills it: nobody else can see it yet.
func (s *Store) Open(ctx context.Context, items int) (*Cart, error) {
	var c *Cart
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var id int64
		err := tx.QueryRowContext(ctx, `INSERT INTO carts (items, cents) VALUES (0, 0) RETURNING id`).Scan(&id)
		if err != nil {
			return err
		}
		c, err = scanCart(tx.QueryRowContext(ctx, `SELECT id, items, cents FROM carts WHERE id = $1`, id))
		if err != nil {
			return err
		}
		c.Items += items
		return save(ctx, tx, c)
	})
	return c, err
}
