// Package wallets spends money from wallets: the service of a hexagonal
// program, with ports for storage and for transactions.
package wallets

import (
	"context"
	"errors"
)

// ErrPoor says that the wallet does not hold that much.
var ErrPoor = errors.New("not enough money")

// Repository stores wallets, in the context's transaction if there is one.
type Repository interface {
	Lock(ctx context.Context, id int64) (cents int64, err error)
	Set(ctx context.Context, id, cents int64) error
}

// Transactor runs functions in transactions.
type Transactor interface {
	Do(ctx context.Context, fn func(ctx context.Context) error) error
}

// Service spends money.
type Service struct {
	tx      Transactor
	wallets Repository
}

// NewService returns a service over its ports.
func NewService(tx Transactor, wallets Repository) *Service {
	return &Service{tx: tx, wallets: wallets}
}

// Spend asks the repository for a lock, and nobody for a transaction.
func (s *Service) Spend(ctx context.Context, id, cents int64) error {
	has, err := s.wallets.Lock(ctx, id) // want "row lock"
	if err != nil {
		return err
	}
	if has < cents {
		return ErrPoor
	}
	return s.wallets.Set(ctx, id, has-cents)
}

// SpendInTx asks for both.
//
//proof:fixes (*Service).Spend
func (s *Service) SpendInTx(ctx context.Context, id, cents int64) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		has, err := s.wallets.Lock(ctx, id)
		if err != nil {
			return err
		}
		if has < cents {
			return ErrPoor
		}
		return s.wallets.Set(ctx, id, has-cents)
	})
}
