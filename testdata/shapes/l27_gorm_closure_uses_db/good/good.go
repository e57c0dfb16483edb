package good

import (
	"context"
	"errors"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Device struct {
	ID    uint
	Owner string
}

func Claim(ctx context.Context, db *gorm.DB, id uint, who string) error {
	return db.WithContext(ctx).Transaction(func(db *gorm.DB) error {
		var d Device
		if err := db.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).Take(&d).Error; err != nil {
			return err
		}
		if d.Owner != "" {
			return errors.New("owned")
		}
		return db.Model(&d).Update("owner", who).Error
	})
}

// lockDevice is for callers that are in a transaction.
func lockDevice(db *gorm.DB, id uint) (*Device, error) {
	d := new(Device)
	return d, db.Clauses(clause.Locking{Strength: "UPDATE"}).Take(d, id).Error
}

func Release(ctx context.Context, db *gorm.DB, id uint) error {
	tx := db.WithContext(ctx).Begin()
	defer tx.Rollback()
	d, err := lockDevice(tx, id)
	if err != nil {
		return err
	}
	if err := tx.Model(d).Update("owner", "").Error; err != nil {
		return err
	}
	return tx.Commit().Error
}
