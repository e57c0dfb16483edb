// Package good is right in batches, prepared statements, copies and below pgx.
package good

import (
	"context"
	"database/sql"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

type Store struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

// A batch is a transaction by itself, and so are the setting and the lock.
func (s *Store) Settings(ctx context.Context, tenant string) error {
	b := &pgx.Batch{}
	b.Queue("SELECT set_config('app.tenant', $1, true)", tenant)
	b.Queue("SELECT pg_advisory_xact_lock(7)")
	b.Queue("SELECT id FROM carts WHERE empty FOR UPDATE")
	b.Queue("DELETE FROM carts WHERE empty")
	return s.pool.SendBatch(ctx, b).Close()
}

func (s *Store) Move(ctx context.Context, from, to int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue("UPDATE carts SET items = items - 1 WHERE id = $1", from)
		b.Queue("UPDATE carts SET items = items + 1 WHERE id = $1", to)
		return tx.SendBatch(ctx, b).Close()
	})
}

func (s *Store) Load(ctx context.Context, rows [][]any) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.CopyFrom(ctx, pgx.Identifier{"staging"}, []string{"a"}, pgx.CopyFromRows(rows))
		return err
	})
	if err != nil {
		return err
	}
	_, err = http.Get("https://example.com/loaded")
	return err
}

func (s *Store) Prepared(ctx context.Context, id, n int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Prepare(ctx, "lock", "SELECT items FROM carts WHERE id = $1 FOR UPDATE"); err != nil {
			return err
		}
		var items int64
		if err := tx.QueryRow(ctx, "lock", id).Scan(&items); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE carts SET items = $2 WHERE id = $1", id, items+n)
		return err
	})
}

func Raw(ctx context.Context, db *sql.DB, rows [][]any) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(driverConn any) error {
		_, err := driverConn.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{"staging"}, []string{"a"}, pgx.CopyFromRows(rows))
		return err
	})
}

func (s *Store) Below(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Conn().PgConn().Exec(ctx, "BEGIN; SELECT id FROM carts WHERE empty FOR UPDATE; DELETE FROM carts WHERE empty; COMMIT").ReadAll()
	return err
}
