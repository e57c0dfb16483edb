// Package bad has one function for each feature of Transactor that
// docs/libraries.md lists.
package bad

import (
	"context"
	"database/sql"

	"github.com/Thiht/transactor"
	"github.com/Thiht/transactor/stdlib"
	_ "github.com/lib/pq"
)

// Store keeps items.
type Store struct {
	pool *sql.DB
	db   stdlib.DBGetter
	tx   transactor.Transactor
}

// New makes a store over a pool.
func New(pool *sql.DB) *Store {
	tx, getter := stdlib.NewTransactor(pool, stdlib.NestedTransactionsSavepoints)
	return &Store{pool, getter, tx}
}

func (s *Store) set(ctx context.Context, id, n int64) error {
	_, err := s.db(ctx).ExecContext(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n)
	return err
}

// Getter finds no transaction where none was begun.
func (s *Store) Getter(id int64) error {
	ctx := context.Background()
	var n int64
	if err := s.db(ctx).QueryRowContext(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(ctx, id, n-1)
}

// WithinTransaction runs a function in a transaction.
func (s *Store) WithinTransaction(ctx context.Context, id int64) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.set(ctx, id, 0); err != nil {
			return err
		}
		_, err := s.pool.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: poolintx
		return err
	})
}

// OuterContext is given to a statement in place of the function's.
func (s *Store) OuterContext(id int64) error {
	ctx := context.Background()
	return s.tx.WithinTransaction(ctx, func(tx context.Context) error {
		if err := s.set(tx, id, 0); err != nil {
			return err
		}
		return s.set(ctx, id, 1) // expect: poolintx
	})
}

// Nested is a savepoint.
func (s *Store) Nested(ctx context.Context, id int64) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
			if err := s.set(ctx, id, 0); err != nil {
				return err
			}
			_, err := s.pool.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: poolintx
			return err
		})
	})
}

// Stale reads and writes in a transaction.
func (s *Store) Stale(ctx context.Context, id int64) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		var n int64
		if err := s.db(ctx).QueryRowContext(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
			return err
		}
		return s.set(ctx, id, n-1) // expect: lostupdate
	})
}

// Level is set in the transaction, since there are no options.
func (s *Store) Level(ctx context.Context, id int64) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error { // or: unhandled40001
		if _, err := s.db(ctx).ExecContext(ctx, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE"); err != nil { // expect: unhandled40001
			return err
		}
		var n int64
		if err := s.db(ctx).QueryRowContext(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
			return err
		}
		return s.set(ctx, id, n-1)
	})
}
