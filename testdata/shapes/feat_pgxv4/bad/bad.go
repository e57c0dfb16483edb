// Package bad has one function for each feature of pgx v4 that docs/libraries.md
// lists and no other program shows.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
	"github.com/jackc/pgx/v4/stdlib"
)

var errFull = errors.New("full")

// Store keeps items.
type Store struct{ pool *pgxpool.Pool }

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.Connect(ctx, dsn)
	return &Store{pool}, err
}

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = 0 WHERE id = $1", id)
	return err
}

func (s *Store) set(ctx context.Context, id, n int64) error {
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", n, id)
	return err
}

// Rows reads rows one by one.
func (s *Store) Rows(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n FROM items WHERE state = 'new'")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, n int64
		if err := rows.Scan(&id, &n); err != nil {
			return err
		}
		if err := s.set(ctx, id, n-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// Values reads a row as a slice.
func (s *Store) Values(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n FROM items WHERE state = 'new'")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		v, err := rows.Values()
		if err != nil {
			return err
		}
		if err := s.set(ctx, v[0].(int64), v[1].(int64)-1); err != nil { // missed: lostupdate
			return err
		}
	}
	return rows.Err()
}

// QueryFunc locks by the statement of a QueryFunc.
func (s *Store) QueryFunc(ctx context.Context, id int64) error {
	var n int64
	_, err := s.pool.QueryFunc(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", []interface{}{id}, []interface{}{&n}, // expect: lockoutsidetx
		func(pgx.QueryFuncRow) error { return nil })
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// QueryFuncScan writes what a QueryFunc has read.
func (s *Store) QueryFuncScan(ctx context.Context, id int64) error {
	var n int64
	_, err := s.pool.QueryFunc(ctx, "SELECT n FROM items WHERE id = $1", []interface{}{id}, []interface{}{&n},
		func(pgx.QueryFuncRow) error { return nil })
	if err != nil {
		return err
	}
	return s.set(ctx, id, n-1) // expect: lostupdate
}

// Simple has an option before the arguments.
func (s *Store) Simple(ctx context.Context, id int64) error {
	var n int64
	if err := s.pool.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", pgx.QuerySimpleProtocol(true), id).Scan(&n); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", pgx.QuerySimpleProtocol(true), n-1, id) // expect: lostupdate
	return err
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int64) error {
	var n int
	if err := s.pool.QueryRow(ctx, "SELECT count(*) FROM tags WHERE item_id = $1", id).Scan(&n); err != nil {
		return err
	}
	if n >= 3 {
		return errFull
	}
	_, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: lostupdate
	return err
}

// Nested is a savepoint.
func (s *Store) Nested(ctx context.Context, id int64) error {
	return s.pool.BeginFunc(ctx, func(tx pgx.Tx) error {
		return tx.BeginFunc(ctx, func(pgx.Tx) error {
			_, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: poolintx
			return err
		})
	})
}

// ConnTx is a transaction of a connection that is held.
func (s *Store) ConnTx(ctx context.Context, id int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return conn.BeginFunc(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
			return err
		}
		_, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: poolintx
		return err
	})
}

// Batch sends statements together.
func (s *Store) Batch(ctx context.Context, id int64) error {
	b := &pgx.Batch{}
	b.Queue("SET statement_timeout = 0")
	b.Queue("DELETE FROM items WHERE id = $1", id)
	return s.pool.SendBatch(ctx, b).Close() // expect: sessionset
}

// BatchStale writes what was read.
func (s *Store) BatchStale(ctx context.Context, id int64) error {
	var n int64
	if err := s.pool.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
		return err
	}
	b := &pgx.Batch{}
	b.Queue("UPDATE items SET n = $1 WHERE id = $2", n-1, id)
	return s.pool.SendBatch(ctx, b).Close() // missed: lostupdate
}

// BatchRows reads the results of a batch.
func (s *Store) BatchRows(ctx context.Context, id int64) error {
	b := &pgx.Batch{}
	b.Queue("SELECT n FROM items WHERE id = $1", id)
	br := s.pool.SendBatch(ctx, b)
	var n int64
	if err := br.QueryRow().Scan(&n); err != nil {
		return errors.Join(err, br.Close())
	}
	if err := br.Close(); err != nil {
		return err
	}
	return s.set(ctx, id, n-1) // missed: lostupdate
}

// CopyFrom copies rows.
func (s *Store) CopyFrom(ctx context.Context, id int64, rows [][]interface{}) error {
	return s.pool.BeginFunc(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
			return err
		}
		_, err := s.pool.CopyFrom(ctx, pgx.Identifier{"tags"}, []string{"name"}, pgx.CopyFromRows(rows)) // expect: poolintx
		return err
	})
}

// Prepare names a statement on a session.
func (s *Store) Prepare(ctx context.Context, id int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Conn().Prepare(ctx, "lock", "SELECT n FROM items WHERE id = $1 FOR UPDATE"); err != nil {
		return err
	}
	var n int64
	if err := conn.QueryRow(ctx, "lock", id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// PgConn is the connection below.
func (s *Store) PgConn(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Conn().PgConn().Exec(ctx, "SET statement_timeout = 0").ReadAll() // expect: sessionset
	return err
}

// Stdlib is database/sql over pgx.
func Stdlib(ctx context.Context, config pgx.ConnConfig) error {
	db := stdlib.OpenDB(config)
	defer db.Close()
	_, err := db.ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Raw is the connection of pgx below database/sql.
func Raw(ctx context.Context, db *sql.DB) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(driver interface{}) error {
		_, err := driver.(*stdlib.Conn).Conn().Exec(ctx, "SET statement_timeout = 0") // expect: sessionset
		return err
	})
}

// Lent is a connection of pgx that a pool of database/sql lends.
func Lent(ctx context.Context, db *sql.DB) error {
	conn, err := stdlib.AcquireConn(db)
	if err != nil {
		return err
	}
	defer stdlib.ReleaseConn(db, conn)
	_, err = conn.Exec(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}
