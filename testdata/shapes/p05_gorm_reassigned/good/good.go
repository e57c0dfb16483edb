package good

import (
	"context"
	"gorm.io/gorm"
)

type Item struct{ ID uint }

type Repo struct{ db *gorm.DB }

func (r *Repo) WithTx(tx *gorm.DB) *Repo { return &Repo{db: tx} }

func (r *Repo) Save(ctx context.Context, it *Item) error {
	return r.db.WithContext(ctx).Save(it).Error
}

func (r *Repo) All(ctx context.Context) ([]Item, error) {
	var out []Item
	db := r.db.WithContext(ctx)
	db = db.Where("id > 0")
	err := db.Find(&out).Error
	return out, err
}

func (r *Repo) Run(ctx context.Context, it *Item) error {
	db := r.db.WithContext(ctx)
	db = db.Begin()
	defer db.Rollback()
	if err := db.Create(it).Error; err != nil {
		return err
	}
	if err := r.WithTx(db).Save(ctx, it); err != nil {
		return err
	}
	return db.Commit().Error
}

func (r *Repo) Nested(ctx context.Context, it *Item) error {
	return r.db.Transaction(func(tx *gorm.DB) error {
		txRepo := r.WithTx(tx)
		return txRepo.db.Transaction(func(tx2 *gorm.DB) error {
			if err := txRepo.Save(ctx, it); err != nil {
				return err
			}
			return tx2.Delete(it).Error
		})
	})
}

func (r *Repo) Swap(ctx context.Context, it *Item) error {
	copied := *r
	return r.db.Transaction(func(tx *gorm.DB) error {
		copied.db = tx
		return copied.Save(ctx, it)
	})
}
