package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A Store is all queries, and transactions of them.
type Store interface {
	Querier
	ExecTx(ctx context.Context, fn func(q *Queries) error) error
}

// SQLStore is the store on a pool.
type SQLStore struct {
	*Queries
	pool *pgxpool.Pool
}

// NewStore returns the store on a pool.
func NewStore(pool *pgxpool.Pool) Store { return &SQLStore{pool: pool, Queries: New(pool)} }

// ExecTx runs fn with the queries of a transaction.
func (s *SQLStore) ExecTx(ctx context.Context, fn func(q *Queries) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return fn(New(tx)) })
}
