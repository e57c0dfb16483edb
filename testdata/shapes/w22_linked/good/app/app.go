// Package app delivers parcels that are due.
package app

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Parcels interface {
	Due(ctx context.Context, tx pgx.Tx, n int) ([]int64, error)
	Dispatched(ctx context.Context, tx pgx.Tx, ids []int64) error
}

type Depot struct {
	pool    *pgxpool.Pool
	parcels Parcels
}

func New(pool *pgxpool.Pool, parcels Parcels) *Depot { return &Depot{pool, parcels} }

func (d *Depot) Dispatch(ctx context.Context) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		ids, err := d.parcels.Due(ctx, tx, 10)
		if err != nil {
			return err
		}
		return d.parcels.Dispatched(ctx, tx, ids)
	})
}
