// Package webhooks delivers webhooks over queries that sqlc generates.
package webhooks

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/skiplocked/webhooks/db"
)

// Dispatcher delivers webhooks.
type Dispatcher struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	post    func(ctx context.Context, id int64) error
}

// NewDispatcher returns a dispatcher that delivers with post.
func NewDispatcher(pool *pgxpool.Pool, post func(ctx context.Context, id int64) error) *Dispatcher {
	return &Dispatcher{pool: pool, queries: db.New(pool), post: post}
}

// Deliver delivers what is due. What cannot be delivered is due again.
func (d *Dispatcher) Deliver(ctx context.Context) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		ids, err := d.queries.WithTx(tx).ClaimDeliveries(ctx, 1) // want "without SKIP LOCKED"
		if err != nil {
			return err
		}
		return d.postAll(ctx, ids)
	})
}

// DeliverFree delivers what is due and what no other dispatcher delivers.
//
//proof:fixes (*Dispatcher).Deliver
func (d *Dispatcher) DeliverFree(ctx context.Context) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		ids, err := d.queries.WithTx(tx).ClaimFreeDeliveries(ctx, 1)
		if err != nil {
			return err
		}
		return d.postAll(ctx, ids)
	})
}

func (d *Dispatcher) postAll(ctx context.Context, ids []int64) error {
	for _, id := range ids {
		if err := d.post(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
