// Package store keeps reports.
package store

import (
	"context"
	"database/sql"
)

type txKey struct{}

// Store is over a database.
type Store struct{ db *sql.DB }

// New returns a store.
func New(db *sql.DB) *Store { return &Store{db: db} }

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// on is the transaction of the context, or else the pool.
func (s *Store) on(ctx context.Context) execer {
	if tx, ok := ctx.Value(txKey{}).(*sql.Tx); ok {
		return tx
	}
	return s.db
}

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(context.Context) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(context.WithValue(ctx, txKey{}, tx)); err != nil {
		return err
	}
	return tx.Commit()
}

// Limit gives the statements that follow five seconds.
func (s *Store) Limit(ctx context.Context) error {
	_, err := s.on(ctx).ExecContext(ctx, "SET LOCAL statement_timeout = '5s'")
	return err
}

// Refresh makes the report anew.
func (s *Store) Refresh(ctx context.Context) error {
	_, err := s.on(ctx).ExecContext(ctx, "REFRESH MATERIALIZED VIEW report")
	return err
}
