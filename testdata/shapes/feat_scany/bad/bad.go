// Package bad has one function for each feature of scany that docs/libraries.md
// lists.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"github.com/georgysavva/scany/v2/dbscan"
	"github.com/georgysavva/scany/v2/pgxscan"
	"github.com/georgysavva/scany/v2/sqlscan"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Item is a row of items.
type Item struct {
	ID    int64 `db:"id"`
	N     int64
	State string
}

var errFew = errors.New("too few")

// Store keeps items.
type Store struct{ pool *pgxpool.Pool }

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	return &Store{pool}, err
}

func (s *Store) set(ctx context.Context, id, n int64) error {
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", n, id)
	return err
}

// Get reads a row.
func (s *Store) Get(ctx context.Context, id int64) error {
	var it Item
	if err := pgxscan.Get(ctx, s.pool, &it, "SELECT * FROM items WHERE id = $1 FOR UPDATE", id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(ctx, id, 0)
}

// GetStale writes a field of it.
func (s *Store) GetStale(ctx context.Context, id int64) error {
	var it Item
	if err := pgxscan.Get(ctx, s.pool, &it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	return s.set(ctx, id, it.N-1) // expect: lostupdate
}

// GetScalar reads a column.
func (s *Store) GetScalar(ctx context.Context, id int64) error {
	var n int64
	if err := pgxscan.Get(ctx, s.pool, &n, "SELECT n FROM items WHERE id = $1", id); err != nil {
		return err
	}
	return s.set(ctx, id, n-1) // expect: lostupdate
}

// Select reads rows.
func (s *Store) Select(ctx context.Context) error {
	var its []*Item
	if err := pgxscan.Select(ctx, s.pool, &its, "SELECT id, n, state FROM items WHERE state = 'new'"); err != nil {
		return err
	}
	for _, it := range its {
		if err := s.set(ctx, it.ID, it.N-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// ScanOne reads the rows of a query of pgx.
func (s *Store) ScanOne(ctx context.Context, id int64) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n FROM items WHERE id = $1", id)
	if err != nil {
		return err
	}
	var it Item
	if err := pgxscan.ScanOne(&it, rows); err != nil {
		return err
	}
	return s.set(ctx, id, it.N-1) // expect: lostupdate
}

// ScanAll reads all of them.
func (s *Store) ScanAll(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n FROM items FOR UPDATE") // expect: lockoutsidetx
	if err != nil {
		return err
	}
	var its []Item
	if err := pgxscan.ScanAll(&its, rows); err != nil {
		return err
	}
	for _, it := range its {
		if err := s.set(ctx, it.ID, 0); err != nil {
			return err
		}
	}
	return nil
}

// RowScanner reads row by row.
func (s *Store) RowScanner(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n FROM items")
	if err != nil {
		return err
	}
	defer rows.Close()
	rs := pgxscan.NewRowScanner(rows)
	for rows.Next() {
		var it Item
		if err := rs.Scan(&it); err != nil {
			return err
		}
		if err := s.set(ctx, it.ID, it.N-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// ScanRow reads one row of those.
func (s *Store) ScanRow(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n FROM items")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it Item
		if err := pgxscan.ScanRow(&it, rows); err != nil {
			return err
		}
		if err := s.set(ctx, it.ID, it.N-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// NotFound looks for a row, which there is none of.
func (s *Store) NotFound(ctx context.Context, name string) error {
	var id int64
	if err := pgxscan.Get(ctx, s.pool, &id, "SELECT id FROM tags WHERE name = $1", name); !pgxscan.NotFound(err) {
		return err
	}
	_, err := s.pool.Exec(ctx, "INSERT INTO tags (name) VALUES ($1)", name) // expect: lostupdate
	return err
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int64) error {
	var n int
	if err := pgxscan.Get(ctx, s.pool, &n, "SELECT count(*) FROM tags WHERE item_id = $1", id); err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: lostupdate
	return err
}

// Nested are the structs of two tables in one.
func (s *Store) Nested(ctx context.Context, id int64) error {
	var row struct {
		Name string
		Item Item `db:"item"`
	}
	const query = `SELECT t.name, i.id AS "item.id", i.n AS "item.n" FROM tags t JOIN items i ON i.id = t.item_id WHERE t.id = $1`
	if err := pgxscan.Get(ctx, s.pool, &row, query, id); err != nil {
		return err
	}
	return s.set(ctx, row.Item.ID, row.Item.N-1) // expect: lostupdate
}

// Querier is the interface of the pool and the transaction.
func (s *Store) Querier(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.lock(ctx, tx, id); err != nil {
			return err
		}
		return s.lock(ctx, s.pool, id) // expect: poolintx // also: lockoutsidetx
	})
}

func (s *Store) lock(ctx context.Context, q pgxscan.Querier, id int64) error {
	var n int64
	return pgxscan.Get(ctx, q, &n, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id)
}

// API is one with settings of its own.
type API struct {
	api  *pgxscan.API
	pool *pgxpool.Pool
}

// NewAPI makes one.
func NewAPI(pool *pgxpool.Pool) (*API, error) {
	inner, err := dbscan.NewAPI(dbscan.WithAllowUnknownColumns(true))
	if err != nil {
		return nil, err
	}
	api, err := pgxscan.NewAPI(inner)
	return &API{api, pool}, err
}

// APIGet reads with it.
func (a *API) APIGet(ctx context.Context, id int64) error {
	var it Item
	if err := a.api.Get(ctx, a.pool, &it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	_, err := a.pool.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, id) // expect: lostupdate
	return err
}

// SQLScan is the package for database/sql.
func SQLScan(ctx context.Context, db *sql.DB, id int64) error {
	var it Item
	if err := sqlscan.Get(ctx, db, &it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, id) // expect: lostupdate
	return err
}
