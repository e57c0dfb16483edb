package bad

import (
	"context"
	"gorm.io/gorm"
)

type Item struct{ ID uint }

type Repo struct{ db *gorm.DB }

func (r *Repo) Run(ctx context.Context, it *Item) error {
	tx := r.db.WithContext(ctx).Begin()
	defer tx.Rollback()
	if err := tx.Create(it).Error; err != nil {
		return err
	}
	if err := r.db.WithContext(ctx).Save(it).Error; err != nil { // expect: poolintx
		return err
	}
	return tx.Commit().Error
}
