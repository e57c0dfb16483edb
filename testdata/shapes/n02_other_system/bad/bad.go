// Package bad loads a warehouse that is a PostgreSQL too.
package bad

import (
	"context"
	"database/sql"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
)

// DB adds a count to a pool.
type DB struct {
	*sql.DB
	count func()
}

func New(db *sql.DB, count func()) *DB { return &DB{DB: db, count: count} }

func (db *DB) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	db.count()
	return db.DB.QueryContext(ctx, query, args...)
}

type Warehouse struct {
	db  *DB
	dsn string
}

func (w *Warehouse) connect() (*DB, error) {
	db, err := sql.Open("pgx", w.dsn)
	if err != nil {
		return nil, err
	}
	return New(db, func() {}), nil
}

func (w *Warehouse) Setup() (err error) {
	w.db, err = w.connect()
	return err
}

func (w *Warehouse) Load(ctx context.Context, client *http.Client) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := w.db.QueryContext(ctx, `SELECT name FROM columns`) // expect: poolintx
	if err != nil {
		return err
	}
	if err := rows.Close(); err != nil {
		return err
	}
	resp, err := client.Get("https://example.com/rows") // expect: externalcall
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := tx.ExecContext(ctx, `UPDATE loads SET done = 1`); err != nil {
		return err
	}
	return tx.Commit()
}

func Record(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	_, err := pool.Exec(ctx, `INSERT INTO loads (id) VALUES ($1)`, id)
	return err
}
