// Package store keeps the invoices.
package store

import (
	"context"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Invoices struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

func New(pool *pgxpool.Pool) *Invoices {
	return &Invoices{pool: pool, getter: trmpgx.DefaultCtxGetter}
}

func (s *Invoices) Due(ctx context.Context, id int64) (int64, error) {
	var due int64
	err := s.getter.DefaultTrOrDB(ctx, s.pool).
		QueryRow(ctx, `SELECT due FROM invoices WHERE id = $1 FOR UPDATE`, id).Scan(&due)
	return due, err
}

func (s *Invoices) Count(ctx context.Context) (int64, error) {
	var n int64
	err := s.pool.QueryRow(ctx, `SELECT count(*) FROM invoices`).Scan(&n)
	return n, err
}
