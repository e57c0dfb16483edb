// Package bad has one function for each feature below pgx v5 that
// docs/libraries.md lists and no other program shows.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Store keeps items.
type Store struct{ pool *pgxpool.Pool }

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	return &Store{pool}, err
}

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = 0 WHERE id = $1", id)
	return err
}

// BatchQuery locks by a statement of a batch, which is committed before its row is used.
func (s *Store) BatchQuery(ctx context.Context, id int64) error {
	b := &pgx.Batch{}
	b.Queue("SELECT n FROM items WHERE id = $1 FOR UPDATE", id)
	results := s.pool.SendBatch(ctx, b) // expect: lockoutsidetx
	var n int64
	if err := results.QueryRow().Scan(&n); err != nil {
		return err
	}
	if err := results.Close(); err != nil {
		return err
	}
	return s.take(ctx, id)
}

// BatchField is a batch in a struct, to which several methods add.
type BatchField struct{ batch pgx.Batch }

func (f *BatchField) quick() { f.batch.Queue("SET statement_timeout = 100") }

// SendField sends it.
func (s *Store) SendField(ctx context.Context) error {
	var f BatchField
	f.quick()
	return s.pool.SendBatch(ctx, &f.batch).Close() // missed: sessionset
}

// BatchExecFunc looks at the error of a guarded write, not at its rows.
func (s *Store) BatchExecFunc(ctx context.Context, id int64) error {
	b := &pgx.Batch{}
	b.Queue("UPDATE items SET state = 'done' WHERE id = $1 AND state = 'new'", id).Exec(func(pgconn.CommandTag) error { return nil })
	return s.pool.SendBatch(ctx, b).Close() // missed: rowsaffected
}

// Lookup runs a statement whose name is looked up.
func (s *Store) Lookup(ctx context.Context, names map[string]string, id int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Conn().Prepare(ctx, names["lock"], "SELECT n FROM items WHERE id = $1 FOR UPDATE"); err != nil {
		return err
	}
	var n int64
	if err := conn.QueryRow(ctx, names["lock"], id).Scan(&n); err != nil { // missed: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// ExecPrepared runs a prepared statement by its name.
func (s *Store) ExecPrepared(ctx context.Context, id int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	pg := conn.Conn().PgConn()
	if _, err := pg.Prepare(ctx, "lock", "SELECT n FROM items WHERE id = $1 FOR UPDATE", nil); err != nil {
		return err
	}
	key := []byte(strconv.FormatInt(id, 10))
	if err := pg.ExecPrepared(ctx, "lock", [][]byte{key}, nil, nil).Read().Err; err != nil { // missed: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Result writes what the rows of a result of the protocol say.
func (s *Store) Result(ctx context.Context, id int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	key := []byte(strconv.FormatInt(id, 10))
	res := conn.Conn().PgConn().ExecParams(ctx, "SELECT n FROM items WHERE id = $1", [][]byte{key}, nil, nil, nil).Read()
	if res.Err != nil {
		return res.Err
	}
	n, err := strconv.ParseInt(string(res.Rows[0][0]), 10, 64)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", n-1, id) // missed: lostupdate
	return err
}

// Params writes by the protocol what was read.
func (s *Store) Params(ctx context.Context, id int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var n int64
	if err := conn.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
		return err
	}
	args := [][]byte{[]byte(strconv.FormatInt(n-1, 10)), []byte(strconv.FormatInt(id, 10))}
	return conn.Conn().PgConn().ExecParams(ctx, "UPDATE items SET n = $1 WHERE id = $2", args, nil, nil, nil).Read().Err // expect: lostupdate
}

// Tag is the count that a guarded write by the protocol needs.
func (s *Store) Tag(ctx context.Context, id int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	key := []byte(strconv.FormatInt(id, 10))
	_, err = conn.Conn().PgConn().ExecParams(ctx, "UPDATE items SET state = 'done' WHERE id = $1 AND state = 'new'", [][]byte{key}, nil, nil, nil).Close() // missed: rowsaffected
	return err
}

// Copy copies by the protocol, on the connection of a transaction, which a line that
// is there already aborts.
func (s *Store) Copy(ctx context.Context, lines io.Reader) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Conn().PgConn().CopyFrom(ctx, lines, "COPY log (line) FROM STDIN")
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE lists SET n = n + 1") // missed: abortedtx
		return err
	})
}

// ExecBatch is a batch of the protocol.
func (s *Store) ExecBatch(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	b := &pgconn.Batch{}
	b.ExecParams("SET statement_timeout = 0", nil, nil, nil, nil)
	_, err = conn.Conn().PgConn().ExecBatch(ctx, b).ReadAll() // expect: sessionset
	return err
}

// Pipeline is the pipeline mode of the protocol.
func (s *Store) Pipeline(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	p := conn.Conn().PgConn().StartPipeline(ctx)
	p.SendQueryParams("SET statement_timeout = 0", nil, nil, nil, nil) // missed: sessionset
	if err := p.Sync(); err != nil {
		return err
	}
	return p.Close()
}

// RawTx is a transaction of the driver's connection.
func RawTx(ctx context.Context, db *sql.DB, id int64) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(driver any) error {
		return pgx.BeginFunc(ctx, driver.(*stdlib.Conn).Conn(), func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
				return err
			}
			_, err := db.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: poolintx
			return err
		})
	})
}

// Hijack takes a connection out of the pool, on which there is no transaction either.
func (s *Store) Hijack(ctx context.Context, id int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	own := conn.Hijack()
	defer own.Close(ctx)
	var n int64
	if err := own.QueryRow(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}
