// Package shop takes orders with coupons: a Store that hands itself on inside
// of a transaction, and queries as a generator writes them.
package shop

import (
	"context"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Store is all that the database can do.
type Store interface {
	InTx(ctx context.Context, fn func(Store) error) error
	UseCoupon(ctx context.Context, code string) error
	AddOrder(ctx context.Context, item string) error
}

type beginner interface {
	Begin(ctx context.Context) (pgx.Tx, error)
}

// PgStore is the Store on PostgreSQL.
type PgStore struct {
	*Queries
	db beginner
}

// NewStore returns a store over the pool.
func NewStore(pool *pgxpool.Pool) *PgStore { return &PgStore{Queries: New(pool), db: pool} }

// InTx implements [Store]. In a transaction it sets a savepoint.
func (s *PgStore) InTx(ctx context.Context, fn func(Store) error) error {
	return pgx.BeginFunc(ctx, s.db, func(tx pgx.Tx) error {
		return fn(&PgStore{Queries: New(tx), db: tx})
	})
}

// Service takes orders.
type Service struct{ store Store }

// NewService returns a service over the store.
func NewService(store Store) *Service { return &Service{store: store} }

// Order takes the order, with the coupon or without: so it was meant. A coupon
// that is used up takes the order with it.
func (s *Service) Order(ctx context.Context, item, coupon string) error {
	return s.store.InTx(ctx, func(q Store) error {
		if err := q.UseCoupon(ctx, coupon); err != nil {
			log.Printf("coupon %s: %v", coupon, err)
		}
		return q.AddOrder(ctx, item) // want "25P02"
	})
}

// OrderAnyway tries the coupon behind a savepoint.
//
//proof:fixes (*Service).Order
func (s *Service) OrderAnyway(ctx context.Context, item, coupon string) error {
	return s.store.InTx(ctx, func(q Store) error {
		if err := q.InTx(ctx, func(q Store) error { return q.UseCoupon(ctx, coupon) }); err != nil {
			log.Printf("coupon %s: %v", coupon, err)
		}
		return q.AddOrder(ctx, item)
	})
}

// Redeem uses the coupon last, and makes nothing of its error but a line in
// the log.
func (s *Service) Redeem(ctx context.Context, item, coupon string) error {
	return s.store.InTx(ctx, func(q Store) error {
		if err := q.AddOrder(ctx, item); err != nil {
			return err
		}
		if err := q.UseCoupon(ctx, coupon); err != nil {
			log.Printf("coupon %s: %v", coupon, err)
		}
		return nil // want "25P02"
	})
}

// RedeemWhole hands the error on: no coupon, no order, and the caller knows
// why.
//
//proof:fixes (*Service).Redeem
func (s *Service) RedeemWhole(ctx context.Context, item, coupon string) error {
	return s.store.InTx(ctx, func(q Store) error {
		if err := q.AddOrder(ctx, item); err != nil {
			return err
		}
		return q.UseCoupon(ctx, coupon)
	})
}
