// Package bad has one function for each feature of sqlx that docs/libraries.md
// lists.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"
)

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id"`
	N     int64  `db:"n"`
	State string `db:"state"`
}

var errFew = errors.New("too few")

// Store keeps items.
type Store struct{ db *sqlx.DB }

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	db, err := sqlx.ConnectContext(ctx, "postgres", dsn)
	return &Store{db}, err
}

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = 0 WHERE id = $1", id)
	return err
}

// Get reads a row into a struct.
func (s *Store) Get(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.GetContext(ctx, &it, "SELECT * FROM items WHERE id = $1 FOR UPDATE", id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// GetStale reads a row into a struct and writes a field of it.
func (s *Store) GetStale(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.GetContext(ctx, &it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, id) // expect: lostupdate
	return err
}

// GetScalar reads a column.
func (s *Store) GetScalar(ctx context.Context, id int64) error {
	var n int64
	if err := s.db.Get(&n, "SELECT n FROM items WHERE id = $1", id); err != nil {
		return err
	}
	_, err := s.db.Exec("UPDATE items SET n = $1 WHERE id = $2", n-1, id) // expect: lostupdate
	return err
}

// Select reads rows into a slice.
func (s *Store) Select(ctx context.Context) error {
	var its []Item
	if err := s.db.SelectContext(ctx, &its, "SELECT id, n, state FROM items WHERE state = 'new'"); err != nil {
		return err
	}
	for _, it := range its {
		if _, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, it.ID); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// StructScan reads the rows of Queryx.
func (s *Store) StructScan(ctx context.Context) error {
	rows, err := s.db.QueryxContext(ctx, "SELECT * FROM items")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it Item
		if err := rows.StructScan(&it); err != nil {
			return err
		}
		if _, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, it.ID); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// RowScan reads the row of QueryRowx.
func (s *Store) RowScan(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.QueryRowxContext(ctx, "SELECT * FROM items WHERE id = $1", id).StructScan(&it); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, id) // expect: lostupdate
	return err
}

// MapScan reads a row into a map.
func (s *Store) MapScan(ctx context.Context, id int64) error {
	got := map[string]any{}
	if err := s.db.QueryRowxContext(ctx, "SELECT * FROM items WHERE id = $1", id).MapScan(got); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", got["n"].(int64)-1, id) // missed: lostupdate
	return err
}

// SliceScan reads a row into a slice.
func (s *Store) SliceScan(ctx context.Context, id int64) error {
	got, err := s.db.QueryRowxContext(ctx, "SELECT n FROM items WHERE id = $1", id).SliceScan()
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", got[0].(int64)-1, id) // missed: lostupdate
	return err
}

// NamedExec writes the fields of a struct.
func (s *Store) NamedExec(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.GetContext(ctx, &it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	it.N++
	_, err := s.db.NamedExecContext(ctx, "UPDATE items SET n = :n WHERE id = :id", it) // expect: lostupdate
	return err
}

// NamedMap writes the values of a map.
func (s *Store) NamedMap(ctx context.Context, id int64) error {
	var n int64
	if err := s.db.GetContext(ctx, &n, "SELECT n FROM items WHERE id = $1", id); err != nil {
		return err
	}
	_, err := s.db.NamedExecContext(ctx, "UPDATE items SET n = :n WHERE id = :id", map[string]any{"n": n - 1, "id": id}) // expect: lostupdate
	return err
}

// NamedQuery runs a query with the fields of a struct.
func (s *Store) NamedQuery(ctx context.Context, it Item) error {
	rows, err := s.db.NamedQueryContext(ctx, "SELECT id FROM items WHERE id = :id FOR UPDATE", it) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&it.ID); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return s.take(ctx, it.ID)
}

// PrepareNamed prepares a text with names.
func (s *Store) PrepareNamed(ctx context.Context, it Item) error {
	st, err := s.db.PrepareNamedContext(ctx, "SELECT * FROM items WHERE id = :id FOR UPDATE")
	if err != nil {
		return err
	}
	defer st.Close()
	if err := st.GetContext(ctx, &it, it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, it.ID)
}

// Preparex prepares a text.
func (s *Store) Preparex(ctx context.Context, id int64) error {
	st, err := s.db.PreparexContext(ctx, "SELECT * FROM items WHERE id = $1 FOR UPDATE")
	if err != nil {
		return err
	}
	defer st.Close()
	var it Item
	if err := st.GetContext(ctx, &it, id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Stmtx runs a statement of the pool in a transaction.
func (s *Store) Stmtx(ctx context.Context, id int64) error {
	st, err := s.db.PreparexContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)")
	if err != nil {
		return err
	}
	defer st.Close()
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.StmtxContext(ctx, st).ExecContext(ctx, id); err != nil {
		return err
	}
	if _, err := st.ExecContext(ctx, id); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// Rebind turns ? into $1.
func (s *Store) Rebind(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.GetContext(ctx, &it, s.db.Rebind("SELECT * FROM items WHERE id = ? FOR UPDATE"), id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// In makes placeholders of a list.
func (s *Store) In(ctx context.Context, ids []int64) error {
	query, args, err := sqlx.In("SELECT * FROM items WHERE id IN (?) FOR UPDATE", ids)
	if err != nil {
		return err
	}
	var its []Item
	if err := s.db.SelectContext(ctx, &its, s.db.Rebind(query), args...); err != nil { // expect: lockoutsidetx
		return err
	}
	for _, it := range its {
		if err := s.take(ctx, it.ID); err != nil {
			return err
		}
	}
	return nil
}

// Named makes a text with ? of one with names.
func (s *Store) Named(ctx context.Context, it Item) error {
	query, args, err := sqlx.Named("SELECT * FROM items WHERE id = :id FOR UPDATE", it)
	if err != nil {
		return err
	}
	if err := s.db.GetContext(ctx, &it, s.db.Rebind(query), args...); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, it.ID)
}

// BindNamed does both.
func (s *Store) BindNamed(ctx context.Context, it Item) error {
	query, args, err := s.db.BindNamed("SELECT * FROM items WHERE id = :id FOR UPDATE", it)
	if err != nil {
		return err
	}
	if err := s.db.GetContext(ctx, &it, query, args...); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, it.ID)
}

// NamedStale writes what was read by names.
func (s *Store) NamedStale(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.GetContext(ctx, &it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	it.N--
	query, args, err := sqlx.Named("UPDATE items SET n = :n WHERE id = :id", it)
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, s.db.Rebind(query), args...) // expect: lostupdate
	return err
}

// InStale writes what was read by a list.
func (s *Store) InStale(ctx context.Context, ids []int64) error {
	query, args, err := sqlx.In("SELECT * FROM items WHERE id IN (?)", ids)
	if err != nil {
		return err
	}
	var its []Item
	if err := s.db.SelectContext(ctx, &its, s.db.Rebind(query), args...); err != nil {
		return err
	}
	for _, it := range its {
		if _, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, it.ID); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Functions take the handle as an argument.
func (s *Store) Functions(ctx context.Context, id int64) error {
	var it Item
	if err := sqlx.GetContext(ctx, s.db, &it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	_, err := sqlx.NamedExecContext(ctx, s.db, "UPDATE items SET n = :n WHERE id = :id", Item{ID: id, N: it.N - 1}) // expect: lostupdate
	return err
}

func lock(ctx context.Context, q sqlx.ExtContext, id int64) (it Item, err error) {
	err = sqlx.GetContext(ctx, q, &it, "SELECT * FROM items WHERE id = $1 FOR UPDATE", id)
	return it, err
}

// ExtContext is the interface of the pool and the transaction.
func (s *Store) ExtContext(ctx context.Context, id int64) error {
	if _, err := lock(ctx, s.db, id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// MustExec panics.
func (s *Store) MustExec(ctx context.Context) {
	s.db.MustExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
}

// Connx holds a session and gives it back with its setting.
func (s *Store) Connx(ctx context.Context) error {
	c, err := s.db.Connx(ctx)
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

// SQLDB is the pool of database/sql below.
func (s *Store) SQLDB(ctx context.Context) error {
	_, err := s.db.DB.ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Unsafe is the same pool.
func (s *Store) Unsafe(ctx context.Context) error {
	_, err := s.db.Unsafe().ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// BeginTxx begins a transaction.
func (s *Store) BeginTxx(ctx context.Context, it Item) error {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.NamedExecContext(ctx, "INSERT INTO items (id, n) VALUES (:id, :n)", it); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", it.ID); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// MustBegin panics.
func (s *Store) MustBegin(it Item) error {
	tx := s.db.MustBegin()
	defer tx.Rollback()
	tx.MustExec("INSERT INTO items (id, n) VALUES ($1, $2)", it.ID, it.N)
	s.db.MustExec("INSERT INTO tags (item_id) VALUES ($1)", it.ID) // expect: poolintx
	return tx.Commit()
}

// Options are those of BeginTxx.
func (s *Store) Options(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var it Item
	if err := tx.GetContext(ctx, &it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", it.N-1, id); err != nil {
		return err
	}
	return tx.Commit()
}

// RowsAffected is the count that a guarded write needs.
func (s *Store) RowsAffected(ctx context.Context, it Item) error {
	_, err := s.db.NamedExecContext(ctx, "UPDATE items SET state = 'done' WHERE id = :id AND state = 'new'", it) // expect: rowsaffected
	return err
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int64) error {
	var n int
	if err := s.db.GetContext(ctx, &n, "SELECT count(*) FROM tags WHERE item_id = $1", id); err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err := s.db.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: lostupdate
	return err
}

// Embedded are the structs of two tables in one.
func (s *Store) Embedded(ctx context.Context, id int64) error {
	var row struct {
		Item `db:"item"`
		Name string `db:"name"`
	}
	const query = `SELECT t.name, i.id AS "item.id", i.n AS "item.n" FROM tags t JOIN items i ON i.id = t.item_id WHERE t.id = $1`
	if err := s.db.GetContext(ctx, &row, query, id); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", row.N-1, row.ID) // expect: lostupdate
	return err
}
