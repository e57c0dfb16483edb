// Package good uses the features of pgx v5 as they are right.
package good

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Item is a row of items.
type Item struct {
	ID    int64
	N     int64
	State string
}

var errGone = errors.New("gone")

// Store keeps items.
type Store struct{ pool *pgxpool.Pool }

// Open opens a store, whose sessions are set up where they begin.
func Open(ctx context.Context, dsn string) (*Store, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	cfg.ConnConfig.RuntimeParams["statement_timeout"] = "5s"
	cfg.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "SET lock_timeout = '1s'")
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	return &Store{pool}, err
}

// Rows of all forms, which are locked.
func (s *Store) Rows(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, "SELECT id, n, state FROM items WHERE id = $1 FOR UPDATE", id)
		it, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Item])
		if err != nil {
			return err
		}
		rows, _ = tx.Query(ctx, "SELECT n FROM items WHERE state = 'new' ORDER BY id FOR NO KEY UPDATE")
		row, err := pgx.CollectRows(rows, pgx.RowToMap)
		if err != nil || len(row) == 0 {
			return err
		}
		b := &pgx.Batch{}
		b.Queue("SET LOCAL statement_timeout = 0")
		b.Queue("UPDATE items SET n = $1 WHERE id = $2", it.N-1, id)
		b.Queue("SELECT n FROM items WHERE id = $1 FOR UPDATE", id).QueryRow(func(row pgx.Row) error { return row.Scan(&it.N) })
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return err
		}
		_, err = tx.CopyFrom(ctx, pgx.Identifier{"tags"}, []string{"item_id"}, pgx.CopyFromRows([][]any{{id}}))
		return err
	})
}

// A batch with a lock and its write is a transaction by itself.
func (s *Store) Batch(ctx context.Context, id int64) error {
	b := &pgx.Batch{}
	b.Queue("SELECT 1 FROM items WHERE id = $1 FOR UPDATE", id)
	b.Queue("UPDATE items SET n = (SELECT count(*) FROM tags WHERE item_id = $1) WHERE id = $1", id)
	return s.pool.SendBatch(ctx, b).Close()
}

// The options are no arguments.
func (s *Store) Options(ctx context.Context, id int64) error {
	var n int64
	var state string
	if err := s.pool.QueryRow(ctx, "SELECT n, state FROM items WHERE id = $1", pgx.QueryExecModeSimpleProtocol, id).Scan(&n, &state); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = n + $1, note = $3 WHERE id = $2", pgx.QueryExecModeExec, 1, id, state)
	return err
}

// The names are those of other columns.
func (s *Store) Names(ctx context.Context, id int64) error {
	var n int64
	if err := s.pool.QueryRow(ctx, "SELECT n FROM items WHERE id = @id", pgx.NamedArgs{"id": id}).Scan(&n); err != nil {
		return err
	}
	tag, err := s.pool.Exec(ctx, "UPDATE items SET n = @next WHERE id = @id AND n = @n", pgx.NamedArgs{"n": n, "next": n + 1, "id": id})
	if err == nil && tag.RowsAffected() == 0 {
		err = errGone
	}
	return err
}

// A session is reset before it is given back.
func (s *Store) Session(ctx context.Context) error {
	return s.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) (err error) {
		if _, err := conn.Exec(ctx, "SET statement_timeout = 0"); err != nil {
			return err
		}
		defer func() {
			_, e := conn.Exec(ctx, "RESET statement_timeout")
			err = errors.Join(err, e)
		}()
		_, err = conn.Exec(ctx, "DELETE FROM items WHERE state = 'old'")
		return err
	})
}

// A read needs no second try at REPEATABLE READ.
func (s *Store) Report(ctx context.Context) (n int64, err error) {
	err = pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "SELECT sum(n) FROM items").Scan(&n)
	})
	return n, err
}
