// Package picking lets pickers take orders from a warehouse: a service over a
// repository that locks on demand, and sets itself up on a transaction.
package picking

import (
	"context"
	"errors"
)

// ErrTaken says that another picker has the order.
var ErrTaken = errors.New("order is taken")

// Order is what a picker picks.
type Order struct {
	ID     int64
	Picker string
}

// Orders stores orders.
type Orders interface {
	Get(ctx context.Context, id int64, lock bool) (Order, error)
	Assign(ctx context.Context, id int64, picker string) error
	InTx(ctx context.Context, fn func(Orders) error) error
}

// Service assigns orders.
type Service struct{ orders Orders }

// NewService returns a service over the repository.
func NewService(orders Orders) *Service { return &Service{orders: orders} }

// Take assigns the order to the picker.
func (s *Service) Take(ctx context.Context, id int64, picker string) error {
	o, err := s.orders.Get(ctx, id, true) // want "row lock"
	if err != nil {
		return err
	}
	if o.Picker != "" {
		return ErrTaken
	}
	return s.orders.Assign(ctx, id, picker)
}

// TakeInTx assigns the order under the lock.
//
//proof:fixes (*Service).Take
func (s *Service) TakeInTx(ctx context.Context, id int64, picker string) error {
	return s.orders.InTx(ctx, func(orders Orders) error {
		o, err := orders.Get(ctx, id, true)
		if err != nil {
			return err
		}
		if o.Picker != "" {
			return ErrTaken
		}
		return orders.Assign(ctx, id, picker)
	})
}

// Picker is right as well: without a lock there is nothing to lose.
func (s *Service) Picker(ctx context.Context, id int64) (string, error) {
	o, err := s.orders.Get(ctx, id, false)
	return o.Picker, err
}
