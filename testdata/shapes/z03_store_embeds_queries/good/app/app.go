// Package app keeps stock.
package app

import (
	"context"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/z03_store_embeds_queries/good/db"
)

// A Service keeps stock.
type Service struct{ store db.Store }

// New returns a service.
func New(store db.Store) *Service { return &Service{store: store} }

// Restock locks with the queries of the transaction.
func (s *Service) Restock(ctx context.Context, id, n int64) error {
	err := s.store.ExecTx(ctx, func(q *db.Queries) error {
		stock, err := q.LockStock(ctx, id)
		if err != nil {
			return err
		}
		return add(ctx, q, id, stock+n)
	})
	if err != nil {
		return err
	}
	return s.store.AddEvent(ctx, "restocked")
}

// add takes the queries of a transaction behind the interface.
func add(ctx context.Context, q db.Querier, id, stock int64) error {
	if err := q.SetStock(ctx, id, stock); err != nil {
		return err
	}
	return q.AddEvent(ctx, "stock")
}
