// Package txctx carries a transaction in the context.
package txctx

import (
	"context"
	"database/sql"

	"github.com/jmoiron/sqlx"
)

type key struct{}

// DB is what statements run on.
type DB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	GetContext(ctx context.Context, dest any, query string, args ...any) error
}

// Do runs fn in a transaction, the context's if there is one.
func Do(ctx context.Context, db *sqlx.DB, fn func(ctx context.Context) error) error {
	if _, ok := ctx.Value(key{}).(*sqlx.Tx); ok {
		return fn(ctx)
	}
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(context.WithValue(ctx, key{}, tx)); err != nil {
		return err
	}
	return tx.Commit()
}

// From returns the context's transaction, or the database.
func From(ctx context.Context, db *sqlx.DB) DB {
	if tx, ok := ctx.Value(key{}).(*sqlx.Tx); ok {
		return tx
	}
	return db
}
