// Package infra talks to the database and to the network.
package infra

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type key struct{}

type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

type DB struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *DB { return &DB{pool: pool} }

func (d *DB) conn(ctx context.Context) execer {
	if tx, ok := ctx.Value(key{}).(pgx.Tx); ok {
		return tx
	}
	return d.pool
}

func (d *DB) Atomic(ctx context.Context, fn func(ctx context.Context) error) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		return fn(context.WithValue(ctx, key{}, tx))
	})
}

type Accounts struct{ DB *DB }

func (a *Accounts) Close(ctx context.Context, id int64) error {
	_, err := a.DB.conn(ctx).Exec(ctx, "UPDATE accounts SET closed_at = now() WHERE id = $1", id)
	return err
}

func (a *Accounts) Audit(ctx context.Context, id int64) error {
	_, err := a.DB.conn(ctx).Exec(ctx, "INSERT INTO audit (account) VALUES ($1)", id)
	return err
}

type Hook struct{ Client *http.Client }

func (h *Hook) Tell(ctx context.Context, id int64) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://hook", nil)
	if err != nil {
		return err
	}
	resp, err := h.Client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
