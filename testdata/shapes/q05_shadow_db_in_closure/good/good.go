package good

import (
	"context"
	"gorm.io/gorm"
)

type Item struct{ ID uint }

type Repo struct{ db *gorm.DB }

func (r *Repo) Save(ctx context.Context, it *Item) error {
	return r.db.WithContext(ctx).Transaction(func(db *gorm.DB) error {
		if err := db.Create(it).Error; err != nil {
			return err
		}
		return db.Transaction(func(inner *gorm.DB) error {
			return inner.Save(it).Error
		})
	})
}

func scope(db *gorm.DB, it *Item) error {
	return db.Transaction(func(tx *gorm.DB) error { return tx.Save(it).Error })
}

func (r *Repo) Two(ctx context.Context, it *Item) error {
	db := r.db.WithContext(ctx)
	if err := scope(db, it); err != nil {
		return err
	}
	if err := db.Save(it).Error; err != nil {
		return err
	}
	return db.Transaction(func(tx *gorm.DB) error { return scope(tx, it) })
}

func (r *Repo) inTx(ctx context.Context, fn func(*Repo) error) error {
	return r.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return fn(&Repo{db: tx}) })
}

func (r *Repo) Three(ctx context.Context, it *Item) error {
	return r.inTx(ctx, func(r *Repo) error {
		if err := r.db.Create(it).Error; err != nil {
			return err
		}
		return r.Save(ctx, it)
	})
}

func (r *Repo) Four(ctx context.Context, it *Item) error {
	tx := r.db.Begin()
	old := r.db
	r.db = tx
	defer func() { r.db = old }()
	if err := r.db.Create(it).Error; err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit().Error
}
