package bad

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
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var d Device
		if err := db.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).Take(&d).Error; err != nil { // expect: lockoutsidetx // also: poolintx
			return err
		}
		if d.Owner != "" {
			return errors.New("owned")
		}
		return tx.Model(&d).Update("owner", who).Error // also: lostupdate
	})
}
