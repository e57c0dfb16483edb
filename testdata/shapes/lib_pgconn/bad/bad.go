// Package bad works with the low levels of pgx.
package bad

import (
	"context"
	"database/sql"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Lock runs a text on the connection below a session, with no transaction.
func Lock(ctx context.Context, pool *pgxpool.Pool, id string) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	res := conn.Conn().PgConn().ExecParams(ctx, "SELECT id FROM jobs WHERE id = $1 FOR UPDATE", [][]byte{[]byte(id)}, nil, nil, nil).Read() // expect: lockoutsidetx
	if res.Err != nil {
		return res.Err
	}
	_, err = conn.Exec(ctx, "UPDATE jobs SET taken = true WHERE id = $1", id)
	return err
}

// Load copies rows over the pool with a transaction open.
func Load(ctx context.Context, pool *pgxpool.Pool, rows [][]any) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "TRUNCATE staging"); err != nil {
		return err
	}
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"staging"}, []string{"a"}, pgx.CopyFromRows(rows)); err != nil { // expect: poolintx
		return err
	}
	if _, err := http.Get("https://jobs.example/loaded"); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit(ctx)
}

// Batch sends statements, one of which locks, on the pool.
func Batch(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue("INSERT INTO log (job) VALUES ($1)", id)
		return pool.SendBatch(ctx, b).Close() // expect: poolintx
	})
}

// Raw reaches the driver's connection and sets something that stays.
func Raw(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(dc any) error {
		_, err := dc.(*stdlib.Conn).Conn().Exec(ctx, "SET search_path TO reports") // expect: sessionset
		return err
	})
}
