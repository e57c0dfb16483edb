// Package store implements the repository.
package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u58_gorm_repository/bad"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/u58_gorm_repository/bad/models"
)

type Products struct{ db *gorm.DB }

func New(db *gorm.DB) *Products { return &Products{db} }

func (p *Products) InTx(ctx context.Context, fn func(ctx context.Context, p bad.Products) error) error {
	return p.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return fn(ctx, &Products{tx}) })
}

func (p *Products) Get(ctx context.Context, id uint) (*models.Product, error) {
	var m models.Product
	if err := p.db.WithContext(ctx).First(&m, id).Error; err != nil {
		return nil, err
	}
	return &m, nil
}

func (p *Products) Save(ctx context.Context, m *models.Product) error {
	return p.db.WithContext(ctx).Save(m).Error
}
