// Package catalog publishes products: gorm.
package catalog

import (
	"context"

	"gorm.io/gorm"
)

// Product is a row of products.
type Product struct {
	ID        int64
	Published bool
	Revision  int
}

// Catalog holds products.
type Catalog struct{ db *gorm.DB }

// New returns a catalog over the database.
func New(db *gorm.DB) *Catalog { return &Catalog{db: db} }

// Publish uses db where it means tx. The second statement waits for the row
// that the first has locked, and the transaction waits for the statement; to
// PostgreSQL that is no deadlock.
func (c *Catalog) Publish(ctx context.Context, id int64) error {
	db := c.db.WithContext(ctx)
	return db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Model(&Product{ID: id}).Update("published", true).Error; err != nil {
			return err
		}
		return db.Model(&Product{ID: id}).Update("revision", gorm.Expr("revision + 1")).Error // want "outside the transaction"
	})
}

// PublishInTx uses tx.
//
//proof:fixes (*Catalog).Publish
func (c *Catalog) PublishInTx(ctx context.Context, id int64) error {
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Model(&Product{ID: id}).Update("published", true).Error; err != nil {
			return err
		}
		return tx.Model(&Product{ID: id}).Update("revision", gorm.Expr("revision + 1")).Error
	})
}

// Add takes its number from a method that knows of no transaction.
func (c *Catalog) Add(ctx context.Context) (revision int, err error) {
	tx := c.db.WithContext(ctx).Begin()
	if tx.Error != nil {
		return 0, tx.Error
	}
	defer tx.Rollback()
	p := Product{Published: true}
	if err := tx.Create(&p).Error; err != nil {
		return 0, err
	}
	n, err := c.published(ctx) // want "outside the transaction"
	if err != nil {
		return 0, err
	}
	if err := tx.Model(&p).Update("revision", n).Error; err != nil {
		return 0, err
	}
	return int(n), tx.Commit().Error
}

// AddCounted lets the same question be asked in the transaction.
//
//proof:fixes (*Catalog).Add
func (c *Catalog) AddCounted(ctx context.Context) (revision int, err error) {
	tx := c.db.WithContext(ctx).Begin()
	if tx.Error != nil {
		return 0, tx.Error
	}
	defer tx.Rollback()
	p := Product{Published: true}
	if err := tx.Create(&p).Error; err != nil {
		return 0, err
	}
	n, err := New(tx).published(ctx)
	if err != nil {
		return 0, err
	}
	if err := tx.Model(&p).Update("revision", n).Error; err != nil {
		return 0, err
	}
	return int(n), tx.Commit().Error
}

// published counts the published products.
func (c *Catalog) published(ctx context.Context) (n int64, err error) {
	err = c.db.WithContext(ctx).Model(&Product{}).Where("published").Count(&n).Error
	return n, err
}
