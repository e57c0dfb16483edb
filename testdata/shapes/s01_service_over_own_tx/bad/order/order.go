package order

import (
	"context"
	"errors"
)

type Product struct {
	ID, Stock int64
}

type Repository interface {
	WithTx(ctx context.Context, fn func(ctx context.Context) error) error
	Product(ctx context.Context, id int64) (Product, error)
	SetStock(ctx context.Context, id, stock int64) error
	Insert(ctx context.Context, product, n int64) error
}

type Payments interface {
	Charge(ctx context.Context, n int64) error
}

type Service struct {
	repo Repository
	pay  Payments
}

func NewService(r Repository, p Payments) *Service { return &Service{r, p} }

func (s *Service) Place(ctx context.Context, product, n int64) error {
	return s.repo.WithTx(ctx, func(ctx context.Context) error {
		p, err := s.repo.Product(ctx, product)
		if err != nil {
			return err
		}
		if p.Stock < n {
			return errors.New("sold out")
		}
		if err := s.repo.SetStock(ctx, product, p.Stock-n); err != nil { // expect: lostupdate
			return err
		}
		if err := s.repo.Insert(ctx, product, n); err != nil { // expect: poolintx
			return err
		}
		return s.pay.Charge(ctx, n) // expect: externalcall
	})
}
