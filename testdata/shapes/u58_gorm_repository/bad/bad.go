// Package bad is a use case over a repository of GORM models.
package bad

import (
	"context"
	"errors"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u58_gorm_repository/bad/models"
)

var ErrEmpty = errors.New("empty")

type Products interface {
	Get(ctx context.Context, id uint) (*models.Product, error)
	Save(ctx context.Context, p *models.Product) error
	InTx(ctx context.Context, fn func(ctx context.Context, p Products) error) error
}

type Shop struct{ products Products }

func NewShop(p Products) *Shop { return &Shop{p} }

func (s *Shop) Sell(ctx context.Context, id uint, n int) error {
	return s.products.InTx(ctx, func(ctx context.Context, products Products) error {
		p, err := products.Get(ctx, id)
		if err != nil {
			return err
		}
		if p.Stock < n {
			return ErrEmpty
		}
		p.Stock -= n
		return products.Save(ctx, p) // expect: lostupdate
	})
}

func (s *Shop) Restock(ctx context.Context, id uint, n int) error {
	p, err := s.products.Get(ctx, id)
	if err != nil {
		return err
	}
	p.Stock += n
	return s.products.Save(ctx, p) // expect: lostupdate
}
