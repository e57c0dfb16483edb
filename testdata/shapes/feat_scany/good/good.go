// Package good uses the features of scany as they are right.
package good

import (
	"context"

	"github.com/georgysavva/scany/v2/pgxscan"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Item is a row of items.
type Item struct {
	ID    int64 `db:"id"`
	N     int64
	State string
}

// Store keeps items.
type Store struct{ pool *pgxpool.Pool }

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	return &Store{pool}, err
}

// Locks of all forms, in a transaction.
func (s *Store) Locks(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var it Item
		if err := pgxscan.Get(ctx, tx, &it, "SELECT * FROM items WHERE id = $1 FOR UPDATE", id); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "SELECT id, n FROM items ORDER BY id FOR UPDATE")
		if err != nil {
			return err
		}
		var its []Item
		if err := pgxscan.ScanAll(&its, rows); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, id)
		return err
	})
}

// The other struct is the one whose column is written.
func (s *Store) Nested(ctx context.Context, id int64) error {
	var row struct {
		N    int64
		Item Item `db:"item"`
	}
	const query = `SELECT t.n, i.id AS "item.id", i.n AS "item.n" FROM tags t JOIN items i ON i.id = t.item_id WHERE t.id = $1`
	if err := pgxscan.Get(ctx, s.pool, &row, query, id); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", row.N, row.Item.ID)
	return err
}

// A second one is no harm.
func (s *Store) Once(ctx context.Context, name string) error {
	var id int64
	if err := pgxscan.Get(ctx, s.pool, &id, "SELECT id FROM tags WHERE name = $1", name); !pgxscan.NotFound(err) {
		return err
	}
	_, err := s.pool.Exec(ctx, "INSERT INTO tags (name) VALUES ($1) ON CONFLICT DO NOTHING", name)
	return err
}
