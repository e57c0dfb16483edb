// Package bad has faults in batches, prepared statements, copies and what lies
// below pgx.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

type Store struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

// The setting stays on whichever session ran the batch.
func (s *Store) Settings(ctx context.Context, tenant string) error {
	b := &pgx.Batch{}
	b.Queue("SELECT set_config('app.tenant', $1, false)", tenant)
	b.Queue("DELETE FROM carts WHERE empty")
	return s.pool.SendBatch(ctx, b).Close() // expect: sessionset
}

// So does the lock.
func (s *Store) Locked(ctx context.Context) error {
	b := &pgx.Batch{}
	b.Queue("SELECT pg_advisory_lock(7)")
	b.Queue("DELETE FROM carts WHERE empty")
	return s.pool.SendBatch(ctx, b).Close() // expect: advisorypool
}

// A batch on the pool, in a transaction.
func (s *Store) Move(ctx context.Context, from, to int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue("UPDATE carts SET items = items - 1 WHERE id = $1", from)
		b.Queue("UPDATE carts SET items = items + 1 WHERE id = $1", to)
		if err := s.pool.SendBatch(ctx, b).Close(); err != nil { // expect: poolintx
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO moves (a, b) VALUES ($1, $2)", from, to)
		return err
	})
}

// A copy on the pool, in a transaction.
func (s *Store) Load(ctx context.Context, rows [][]any) error {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "TRUNCATE staging"); err != nil {
		return err
	}
	if _, err := s.pool.CopyFrom(ctx, pgx.Identifier{"staging"}, []string{"a"}, pgx.CopyFromRows(rows)); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit(ctx)
}

// A call between copy and commit.
func (s *Store) Publish(ctx context.Context, rows [][]any) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"staging"}, []string{"a"}, pgx.CopyFromRows(rows)); err != nil {
			return err
		}
		_, err := http.Get("https://example.com/loaded") // expect: externalcall
		return err
	})
}

// A statement that is prepared on a session, by its name.
func (s *Store) Prepared(ctx context.Context, id, n int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Conn().Prepare(ctx, "lock", "SELECT items FROM carts WHERE id = $1 FOR UPDATE"); err != nil {
		return err
	}
	var items int64
	if err := conn.QueryRow(ctx, "lock", id).Scan(&items); err != nil { // expect: lockoutsidetx
		return err
	}
	_, err = conn.Exec(ctx, "UPDATE carts SET items = $2 WHERE id = $1", id, items+n) // also: lostupdate
	return err
}

// A failure in a batch aborts the transaction.
func (s *Store) Tags(ctx context.Context, tags []string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		for _, t := range tags {
			b.Queue("INSERT INTO tags (name) VALUES ($1)", t)
		}
		err := tx.SendBatch(ctx, b).Close()
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE lists SET n = n + 1") // expect: abortedtx
		return err
	})
}

// The driver's connection of a database/sql pool goes back to it.
func Raw(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(driverConn any) error {
		c := driverConn.(*stdlib.Conn).Conn()
		_, err := c.Exec(ctx, "SET search_path TO archive") // expect: sessionset
		return err
	})
}

// A lock below pgx.
func (s *Store) Below(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Conn().PgConn().Exec(ctx, "SELECT pg_advisory_lock(7)").ReadAll(); err != nil { // expect: advisorypool
		return err
	}
	_, err = conn.Exec(ctx, "DELETE FROM carts WHERE empty")
	return err
}
