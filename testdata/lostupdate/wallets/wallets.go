// Package wallets spends points from wallets: the service of a hexagonal
// program, with its transaction in the context.
package wallets

import (
	"context"
	"errors"

	"github.com/avito-tech/go-transaction-manager/trm/v2"
)

// ErrPoor says that a wallet does not hold that many points.
var ErrPoor = errors.New("not enough points")

// Wallet holds points.
type Wallet struct {
	ID     int64
	Points int64
}

// Repository stores wallets.
type Repository interface {
	Get(ctx context.Context, id int64) (*Wallet, error)
	GetForUpdate(ctx context.Context, id int64) (*Wallet, error)
	Save(ctx context.Context, w *Wallet) error
	Take(ctx context.Context, id, n int64) (taken bool, err error)
}

// Service spends points.
type Service struct {
	tx      trm.Manager
	wallets Repository
}

// NewService returns a service over its ports.
func NewService(tx trm.Manager, wallets Repository) *Service {
	return &Service{tx: tx, wallets: wallets}
}

// Spend has a transaction around a read that locks nothing.
func (s *Service) Spend(ctx context.Context, id, n int64) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		w, err := s.wallets.Get(ctx, id)
		if err != nil {
			return err
		}
		if w.Points < n {
			return ErrPoor
		}
		w.Points -= n
		return s.wallets.Save(ctx, w) // want `points of wallets is set to a value made from the row read without a lock`
	})
}

// SpendLocked reads with the method that locks.
//
//proof:fixes (*Service).Spend
func (s *Service) SpendLocked(ctx context.Context, id, n int64) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		w, err := s.wallets.GetForUpdate(ctx, id)
		if err != nil {
			return err
		}
		if w.Points < n {
			return ErrPoor
		}
		w.Points -= n
		return s.wallets.Save(ctx, w)
	})
}

// SpendAtOnce leaves it to one statement.
//
//proof:fixes (*Service).Spend
func (s *Service) SpendAtOnce(ctx context.Context, id, n int64) error {
	taken, err := s.wallets.Take(ctx, id, n)
	if err != nil {
		return err
	}
	if !taken {
		return ErrPoor
	}
	return nil
}

// Points says how many points a wallet holds.
func (s *Service) Points(ctx context.Context, id int64) (int64, error) {
	w, err := s.wallets.Get(ctx, id)
	if err != nil {
		return 0, err
	}
	return w.Points, nil
}
