// Package imports reads articles from a list that may have mistakes: gorm.
package imports

import (
	"context"
	"errors"
	"log"

	"gorm.io/gorm"
)

// Article is a row of articles.
type Article struct {
	Code  string `gorm:"primaryKey"`
	Cents int64
}

// Importer imports articles.
type Importer struct{ db *gorm.DB }

// New returns an importer over the database.
func New(db *gorm.DB) *Importer { return &Importer{db: db} }

// Import skips articles that PostgreSQL refuses. After the first of them it
// refuses all.
func (i *Importer) Import(ctx context.Context, articles []Article) (n int, err error) {
	err = i.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		for _, a := range articles {
			if err := tx.Create(&a).Error; err != nil { // want "25P02"
				log.Printf("article %s: %v", a.Code, err)
				continue
			}
			n++
		}
		return tx.Exec(`UPDATE lists SET imported = imported + ?`, n).Error
	})
	return n, err
}

// ImportEach has a savepoint for each article: that is what Transaction sets
// in a transaction.
//
//proof:fixes (*Importer).Import
func (i *Importer) ImportEach(ctx context.Context, articles []Article) (n int, err error) {
	err = i.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		for _, a := range articles {
			err := tx.Transaction(func(savepoint *gorm.DB) error { return savepoint.Create(&a).Error })
			if err != nil {
				log.Printf("article %s: %v", a.Code, err)
				continue
			}
			n++
		}
		return tx.Exec(`UPDATE lists SET imported = imported + ?`, n).Error
	})
	return n, err
}

// ImportMarked sets the savepoint by hand.
//
//proof:fixes (*Importer).Import
func (i *Importer) ImportMarked(ctx context.Context, articles []Article) (n int, err error) {
	err = i.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		for _, a := range articles {
			if err := tx.SavePoint("article").Error; err != nil {
				return err
			}
			if err := tx.Create(&a).Error; err != nil {
				if err := tx.RollbackTo("article").Error; err != nil {
					return err
				}
				continue
			}
			n++
		}
		return tx.Exec(`UPDATE lists SET imported = imported + ?`, n).Error
	})
	return n, err
}

// Price is right as well: an article that is not there is no error of
// PostgreSQL's.
func (i *Importer) Price(ctx context.Context, code string, cents int64) error {
	return i.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var a Article
		switch err := tx.First(&a, "code = ?", code).Error; {
		case errors.Is(err, gorm.ErrRecordNotFound):
			return tx.Create(&Article{Code: code, Cents: cents}).Error
		case err != nil:
			return err
		}
		return tx.Exec(`UPDATE lists SET imported = imported + 1`).Error
	})
}
