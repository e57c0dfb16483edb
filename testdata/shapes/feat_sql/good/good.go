// Package good uses the features of database/sql as they are right.
package good

import (
	"context"
	"database/sql"
	"errors"

	_ "github.com/lib/pq"
)

var errGone = errors.New("gone")

// Store keeps items.
type Store struct {
	db   *sql.DB
	lock *sql.Stmt
}

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, err
	}
	lock, err := db.PrepareContext(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE")
	return &Store{db, lock}, err
}

// A statement of the pool runs in the transaction by Stmt.
func (s *Store) Stmt(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int64
	if err := tx.StmtContext(ctx, s.lock).QueryRowContext(ctx, id).Scan(&n); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", n-1, id); err != nil {
		return err
	}
	return tx.Commit()
}

// The column that may be NULL is not the one that is written.
func (s *Store) Null(ctx context.Context, id int64) error {
	var note sql.NullString
	var lim sql.Null[int64]
	if err := s.db.QueryRowContext(ctx, "SELECT note, lim FROM items WHERE id = $1", id).Scan(&note, &lim); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET shown = $1 WHERE id = $2", note.String, id)
	return err
}

// Looked at.
func (s *Store) RowsAffected(ctx context.Context, id int64) error {
	res, err := s.db.ExecContext(ctx, "UPDATE items SET state = 'done' WHERE id = $1 AND state = 'new'", id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errGone)
	}
	return nil
}

// A second one is no harm.
func (s *Store) Once(ctx context.Context, name string) error {
	var id int64
	err := s.db.QueryRowContext(ctx, "SELECT id FROM tags WHERE name = $1", name).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	_, err = s.db.ExecContext(ctx, "INSERT INTO tags (name) VALUES ($1) ON CONFLICT DO NOTHING", name)
	return err
}

// A session is reset before it is given back.
func (s *Store) Conn(ctx context.Context) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, "SET statement_timeout = 0"); err != nil {
		return err
	}
	_, err = c.ExecContext(ctx, "DELETE FROM items WHERE state = 'old'")
	_, reset := c.ExecContext(ctx, "RESET statement_timeout")
	return errors.Join(err, reset)
}
