// Package good is a repository of GORM models that locks.
package good

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

var ErrEmpty = errors.New("empty")

type Product struct {
	ID    uint `gorm:"primaryKey"`
	Name  string
	Stock int
}

func (Product) TableName() string { return "shop_products" }

type Products struct{ db *gorm.DB }

func (p *Products) InTx(ctx context.Context, fn func(p *Products) error) error {
	return p.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return fn(&Products{tx}) })
}

func (p *Products) lock(id uint) (*Product, error) {
	var m Product
	if err := p.db.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).First(&m, id).Error; err != nil {
		return nil, err
	}
	return &m, nil
}

func (p *Products) get(id uint) (*Product, error) {
	var m Product
	return &m, p.db.First(&m, id).Error
}

func (p *Products) Save(m *Product) error { return p.db.Save(m).Error }

type Shop struct{ products *Products }

func (s *Shop) Sell(ctx context.Context, id uint, n int) error {
	return s.products.InTx(ctx, func(products *Products) error {
		p, err := products.lock(id)
		if err != nil {
			return err
		}
		if p.Stock < n {
			return ErrEmpty
		}
		p.Stock -= n
		return products.Save(p)
	})
}

func (s *Shop) Rename(id uint, name string) error {
	p, err := s.products.get(id)
	if err != nil {
		return err
	}
	return s.products.db.Model(p).UpdateColumns(map[string]any{"name": name}).Error
}
