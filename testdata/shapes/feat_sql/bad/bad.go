// Package bad has one function for each feature of database/sql that
// docs/libraries.md lists.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"github.com/lib/pq"
)

// Item is a row of items.
type Item struct {
	ID, N int64
	Note  sql.NullString
	Limit sql.Null[int64]
}

var errFew = errors.New("too few")

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

// OpenDB opens one over a connector.
func OpenDB(dsn string) (*Store, error) {
	c, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return &Store{db: sql.OpenDB(c)}, nil
}

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = 0 WHERE id = $1", id)
	return err
}

// QueryRow reads a row.
func (s *Store) QueryRow(ctx context.Context, id int64) error {
	var n int64
	if err := s.db.QueryRowContext(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Plain are the calls without a context.
func (s *Store) Plain(id int64) error {
	var n int64
	if err := s.db.QueryRow("SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
		return err
	}
	_, err := s.db.Exec("UPDATE items SET n = $1 WHERE id = $2", n-1, id) // expect: lostupdate
	return err
}

// Rows reads rows one by one.
func (s *Store) Rows(ctx context.Context) error {
	rows, err := s.db.QueryContext(ctx, "SELECT id, n FROM items WHERE state = 'new'")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it Item
		if err := rows.Scan(&it.ID, &it.N); err != nil {
			return err
		}
		if _, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, it.ID); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// NextResultSet reads the second of two statements.
func (s *Store) NextResultSet(ctx context.Context) error {
	rows, err := s.db.QueryContext(ctx, "SELECT 1; SELECT id FROM items FOR UPDATE") // expect: lockoutsidetx
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.NextResultSet() {
		return rows.Err()
	}
	var id int64
	for rows.Next() {
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if err := s.take(ctx, id); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Null is a column that may be NULL.
func (s *Store) Null(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.QueryRowContext(ctx, "SELECT note, lim FROM items WHERE id = $1", id).Scan(&it.Note, &it.Limit); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET note = $1 WHERE id = $2", it.Note.String+"!", id) // expect: lostupdate
	return err
}

// NullV is the generic one.
func (s *Store) NullV(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.QueryRowContext(ctx, "SELECT note, lim FROM items WHERE id = $1", id).Scan(&it.Note, &it.Limit); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET lim = $1 WHERE id = $2", it.Limit.V-1, id) // expect: lostupdate
	return err
}

// Named are arguments with names.
func (s *Store) Named(ctx context.Context, id int64) error {
	var n int64
	if err := s.db.QueryRowContext(ctx, "SELECT n FROM items WHERE id = @id FOR UPDATE", sql.Named("id", id)).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Stmt is a prepared statement.
func (s *Store) Stmt(ctx context.Context, id int64) error {
	var n int64
	if err := s.lock.QueryRowContext(ctx, id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// TxStmt is one of the pool in a transaction, which runs there only by Stmt.
func (s *Store) TxStmt(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int64
	if err := s.lock.QueryRowContext(ctx, id).Scan(&n); err != nil { // expect: poolintx // also: lockoutsidetx
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", n-1, id); err != nil {
		return err
	}
	return tx.Commit()
}

// BeginTx begins a transaction.
func (s *Store) BeginTx(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// Options are those of BeginTx.
func (s *Store) Options(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int64
	if err := tx.QueryRowContext(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", n-1, id); err != nil {
		return err
	}
	return tx.Commit()
}

// Conn holds a session and gives it back with its setting.
func (s *Store) Conn(ctx context.Context) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, "SET statement_timeout = 0"); err != nil { // expect: sessionset
		return err
	}
	_, err = c.ExecContext(ctx, "DELETE FROM items WHERE state = 'old'")
	return err
}

// ConnTx begins on it.
func (s *Store) ConnTx(ctx context.Context, id int64) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// Connector is a pool over one.
func Connector(ctx context.Context, dsn string) error {
	s, err := OpenDB(dsn)
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// RowsAffected is the count that a guarded write needs.
func (s *Store) RowsAffected(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, "UPDATE items SET state = 'done' WHERE id = $1 AND state = 'new'", id) // expect: rowsaffected
	return err
}

// NoRows looks for a row, which there is none of.
func (s *Store) NoRows(ctx context.Context, name string) error {
	var id int64
	err := s.db.QueryRowContext(ctx, "SELECT id FROM tags WHERE name = $1", name).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	_, err = s.db.ExecContext(ctx, "INSERT INTO tags (name) VALUES ($1)", name) // expect: lostupdate
	return err
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int64) error {
	var n int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM tags WHERE item_id = $1", id).Scan(&n); err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err := s.db.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: lostupdate
	return err
}

// Array is a list as an argument.
func (s *Store) Array(ctx context.Context, ids []int64) error {
	rows, err := s.db.QueryContext(ctx, "SELECT id, n FROM items WHERE id = ANY($1)", pq.Array(ids))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it Item
		if err := rows.Scan(&it.ID, &it.N); err != nil {
			return err
		}
		if _, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, it.ID); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// CopyIn is the COPY of lib/pq.
func (s *Store) CopyIn(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	st, err := tx.PrepareContext(ctx, pq.CopyIn("tags", "item_id"))
	if err != nil {
		return err
	}
	if _, err := st.ExecContext(ctx, id); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil { // expect: poolintx
		return err
	}
	if err := st.Close(); err != nil {
		return err
	}
	return tx.Commit()
}
