// Package good locks through one method of a port and reads through another.
package good

import (
	"context"
	"errors"
)

var ErrPoor = errors.New("poor")

type Card struct {
	ID    int64
	Cents int64
}

type Cards interface {
	Hold(ctx context.Context, id int64) error
	Get(ctx context.Context, id int64) (*Card, error)
	Save(ctx context.Context, c *Card) error
}

type Tx interface {
	Do(ctx context.Context, fn func(ctx context.Context) error) error
}

type Service struct {
	cards Cards
	tx    Tx
}

func New(cards Cards, tx Tx) *Service { return &Service{cards, tx} }

// Charge locks by another statement.
func (s *Service) Charge(ctx context.Context, id, n int64) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		if err := s.cards.Hold(ctx, id); err != nil {
			return err
		}
		c, err := s.cards.Get(ctx, id)
		if err != nil {
			return err
		}
		if c.Cents < n {
			return ErrPoor
		}
		c.Cents -= n
		return s.cards.Save(ctx, c)
	})
}
