// Package badges numbers badges without gaps: the service of a hexagonal
// program, its transaction in the context.
package badges

import (
	"context"

	"github.com/avito-tech/go-transaction-manager/trm/v2"
)

// Repository stores badges.
type Repository interface {
	// Serialize lets one transaction at a time go on.
	Serialize(ctx context.Context) error
	Last(ctx context.Context) (int, error)
	Add(ctx context.Context, number int, name string) error
}

// Service hands badges out.
type Service struct {
	tx     trm.Manager
	badges Repository
}

// NewService returns a service over its ports.
func NewService(tx trm.Manager, badges Repository) *Service {
	return &Service{tx: tx, badges: badges}
}

// Hand hands the next badge out. The lock is gone before the last number is
// read.
func (s *Service) Hand(ctx context.Context, name string) (int, error) {
	if err := s.badges.Serialize(ctx); err != nil { // want "outside a transaction"
		return 0, err
	}
	return s.add(ctx, name)
}

// HandInTx holds the lock until the badge is stored.
//
//proof:fixes (*Service).Hand
func (s *Service) HandInTx(ctx context.Context, name string) (number int, err error) {
	err = s.tx.Do(ctx, func(ctx context.Context) error {
		if err := s.badges.Serialize(ctx); err != nil {
			return err
		}
		number, err = s.add(ctx, name)
		return err
	})
	return number, err
}

func (s *Service) add(ctx context.Context, name string) (int, error) {
	last, err := s.badges.Last(ctx)
	if err != nil {
		return 0, err
	}
	return last + 1, s.badges.Add(ctx, last+1, name)
}
