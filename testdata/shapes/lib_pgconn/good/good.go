// Package good works with the low levels of pgx.
package good

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Lock runs a text on the connection below the transaction.
func Lock(ctx context.Context, pool *pgxpool.Pool, id string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		res := tx.Conn().PgConn().ExecParams(ctx, "SELECT id FROM jobs WHERE id = $1 FOR UPDATE", [][]byte{[]byte(id)}, nil, nil, nil).Read()
		if res.Err != nil {
			return res.Err
		}
		_, err := tx.Exec(ctx, "UPDATE jobs SET taken = true WHERE id = $1", id)
		return err
	})
}

func Load(ctx context.Context, pool *pgxpool.Pool, rows [][]any) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "TRUNCATE staging"); err != nil {
		return err
	}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"staging"}, []string{"a"}, pgx.CopyFromRows(rows)); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func Batch(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue("SELECT id FROM jobs WHERE id = $1 FOR UPDATE", id)
		b.Queue("UPDATE jobs SET taken = true WHERE id = $1", id)
		return tx.SendBatch(ctx, b).Close()
	})
}

// Raw copies over the driver's connection.
func Raw(ctx context.Context, db *sql.DB, rows [][]any) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(dc any) error {
		_, err := dc.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{"staging"}, []string{"a"}, pgx.CopyFromRows(rows))
		return err
	})
}
