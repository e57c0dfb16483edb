// Package app keeps stock.
package app

import (
	"context"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/z03_store_embeds_queries/bad/db"
)

// A Service keeps stock.
type Service struct{ store db.Store }

// New returns a service.
func New(store db.Store) *Service { return &Service{store: store} }

// Restock locks with the queries that the store embeds: those of the pool.
func (s *Service) Restock(ctx context.Context, id, n int64) error {
	stock, err := s.store.LockStock(ctx, id) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.store.SetStock(ctx, id, stock+n)
}

// Sell writes the event with them in the middle of a transaction.
func (s *Service) Sell(ctx context.Context, id, n int64) error {
	return s.store.ExecTx(ctx, func(q *db.Queries) error {
		stock, err := q.LockStock(ctx, id)
		if err != nil {
			return err
		}
		if err := q.SetStock(ctx, id, stock-n); err != nil {
			return err
		}
		return s.store.AddEvent(ctx, "sold") // expect: poolintx
	})
}
