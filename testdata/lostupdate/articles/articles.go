// Package articles edits articles, with GORM.
package articles

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Article is a text of a magazine.
type Article struct {
	ID      int64 `gorm:"primaryKey"`
	Title   string
	Views   int64
	Version int64
}

// ErrChanged says that somebody else has changed the article.
var ErrChanged = errors.New("the article was changed")

// Magazine keeps articles.
type Magazine struct{ db *gorm.DB }

// NewMagazine returns a magazine over the database. GORM would put a transaction
// around each write, which keeps others from nothing.
func NewMagazine(db *gorm.DB) *Magazine {
	return &Magazine{db: db.Session(&gorm.Session{SkipDefaultTransaction: true})}
}

// View counts a reader, and writes the whole article back.
func (m *Magazine) View(ctx context.Context, id int64) error {
	db := m.db.WithContext(ctx)
	var a Article
	if err := db.First(&a, id).Error; err != nil {
		return err
	}
	a.Views++
	return db.Save(&a).Error // want `views.* of articles is set to a value made from the row read without a lock`
}

// ViewInSQL lets PostgreSQL count.
//
//proof:fixes (*Magazine).View
func (m *Magazine) ViewInSQL(ctx context.Context, id int64) error {
	return m.db.WithContext(ctx).Model(&Article{}).
		Where("id = ?", id).
		Update("views", gorm.Expr("views + 1")).Error
}

// ViewLocked locks the article that it writes back.
//
//proof:fixes (*Magazine).View
func (m *Magazine) ViewLocked(ctx context.Context, id int64) error {
	return m.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var a Article
		if err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).First(&a, id).Error; err != nil {
			return err
		}
		a.Views++
		return tx.Save(&a).Error
	})
}

// ViewChecked writes the version that it has read, or says that it is another.
//
//proof:fixes (*Magazine).View
func (m *Magazine) ViewChecked(ctx context.Context, id int64) error {
	db := m.db.WithContext(ctx)
	var a Article
	if err := db.First(&a, id).Error; err != nil {
		return err
	}
	res := db.Model(&Article{}).
		Where("id = ? AND version = ?", id, a.Version).
		Updates(map[string]any{"views": a.Views + 1, "version": a.Version + 1})
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return ErrChanged
	}
	return nil
}

// Retitle sets what it is given; the row is read for the error that says that
// there is none.
func (m *Magazine) Retitle(ctx context.Context, id int64, title string) error {
	db := m.db.WithContext(ctx)
	var a Article
	if err := db.First(&a, id).Error; err != nil {
		return err
	}
	return db.Model(&a).Update("title", title).Error
}
