// Package orders takes orders: the service of a hexagonal program, with a port
// for the database and one for the payment provider.
package orders

import (
	"context"
	"fmt"

	"github.com/avito-tech/go-transaction-manager/trm/v2"
)

// Order is what somebody buys.
type Order struct {
	ID    int64
	Item  string
	Cents int64
}

// Repository stores orders and stock, in the context's transaction if there is
// one.
type Repository interface {
	Reserve(ctx context.Context, item string) (cents int64, err error)
	Add(ctx context.Context, o Order) (id int64, err error)
	MarkPaid(ctx context.Context, id int64, receipt string) error
}

// Payments moves money.
type Payments interface {
	Charge(ctx context.Context, reference string, cents int64) (receipt string, err error)
	Describe(reference string, cents int64) (string, error)
}

// Service takes orders.
type Service struct {
	tx       trm.Manager
	orders   Repository
	payments Payments
}

// NewService returns a service over its ports.
func NewService(tx trm.Manager, orders Repository, payments Payments) *Service {
	return &Service{tx: tx, orders: orders, payments: payments}
}

// Place reserves, charges and stores in one transaction: the item's row is
// locked for as long as the provider takes.
func (s *Service) Place(ctx context.Context, item string) (id int64, err error) {
	err = s.tx.Do(ctx, func(ctx context.Context) error {
		o, err := s.reserve(ctx, item)
		if err != nil {
			return err
		}
		id = o.ID
		return s.charge(ctx, o) // want "transaction open"
	})
	return id, err
}

// PlaceThenCharge commits the order as unpaid, charges, and then notes the
// receipt in a transaction of its own.
//
//proof:fixes (*Service).Place
func (s *Service) PlaceThenCharge(ctx context.Context, item string) (id int64, err error) {
	var o Order
	err = s.tx.Do(ctx, func(ctx context.Context) error {
		o, err = s.reserve(ctx, item)
		return err
	})
	if err != nil {
		return 0, err
	}
	return o.ID, s.charge(ctx, o)
}

// Preview is right as well: a request that is only built goes nowhere.
func (s *Service) Preview(ctx context.Context, item string) (text string, err error) {
	err = s.tx.Do(ctx, func(ctx context.Context) error {
		cents, err := s.orders.Reserve(ctx, item)
		if err != nil {
			return err
		}
		text, err = s.payments.Describe("preview "+item, cents)
		return err
	})
	return text, err
}

func (s *Service) reserve(ctx context.Context, item string) (o Order, err error) {
	o.Item = item
	if o.Cents, err = s.orders.Reserve(ctx, item); err != nil {
		return o, fmt.Errorf("reserve %s: %w", item, err)
	}
	o.ID, err = s.orders.Add(ctx, o)
	return o, err
}

func (s *Service) charge(ctx context.Context, o Order) error {
	receipt, err := s.payments.Charge(ctx, fmt.Sprintf("order %d", o.ID), o.Cents)
	if err != nil {
		return fmt.Errorf("charge order %d: %w", o.ID, err)
	}
	return s.orders.MarkPaid(ctx, o.ID, receipt)
}
