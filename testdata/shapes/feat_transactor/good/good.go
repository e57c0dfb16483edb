// Package good uses Transactor as it is right.
package good

import (
	"context"
	"database/sql"

	"github.com/Thiht/transactor"
	"github.com/Thiht/transactor/stdlib"
	_ "github.com/lib/pq"
)

// Store keeps items.
type Store struct {
	db stdlib.DBGetter
	tx transactor.Transactor
}

// New makes a store over a pool.
func New(pool *sql.DB) *Store {
	tx, getter := stdlib.NewTransactor(pool, stdlib.NestedTransactionsSavepoints)
	return &Store{getter, tx}
}

// Take reads and writes in a transaction.
func (s *Store) Take(ctx context.Context, id int64) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		var n int64
		if err := s.db(ctx).QueryRowContext(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil {
			return err
		}
		_, err := s.db(ctx).ExecContext(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n-1)
		return err
	})
}

// Twice takes twice, in a savepoint each.
func (s *Store) Twice(ctx context.Context, id int64) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.Take(ctx, id); err != nil {
			return err
		}
		return s.Take(ctx, id)
	})
}
