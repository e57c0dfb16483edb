// Package clients knows who buys.
package clients

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// InTx runs fn in a transaction of its own and returns what it returns.
func InTx[T any](ctx context.Context, db *sqlx.DB, fn func(tx *sqlx.Tx) (T, error)) (result T, err error) {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return result, err
	}
	defer tx.Rollback()
	if result, err = fn(tx); err != nil {
		return result, err
	}
	return result, tx.Commit()
}

// Service knows clients by their names.
type Service struct{ db *sqlx.DB }

// NewService returns a service over the database.
func NewService(db *sqlx.DB) *Service { return &Service{db: db} }

// Ensure returns the client's number, and gives it one if it has none.
func (s *Service) Ensure(ctx context.Context, name string) (int64, error) {
	return InTx(ctx, s.db, func(tx *sqlx.Tx) (int64, error) { return s.EnsureTx(ctx, tx, name) })
}

// EnsureTx is Ensure in the caller's transaction.
func (s *Service) EnsureTx(ctx context.Context, tx *sqlx.Tx, name string) (id int64, err error) {
	if _, err := tx.ExecContext(ctx, `INSERT INTO clients (name) VALUES ($1) ON CONFLICT DO NOTHING`, name); err != nil {
		return 0, err
	}
	err = tx.GetContext(ctx, &id, `SELECT id FROM clients WHERE name = $1`, name)
	return id, err
}
