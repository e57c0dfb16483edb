package bad

import (
	"errors"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Lot struct {
	ID   uint
	High int64
}

// Bid locks first and begins afterwards.
func Bid(db *gorm.DB, id uint, sum int64) error {
	var lot Lot
	if err := db.Clauses(clause.Locking{Strength: "UPDATE"}).First(&lot, id).Error; err != nil { // expect: lockoutsidetx
		return err
	}
	if lot.High >= sum {
		return errors.New("too low")
	}
	tx := db.Begin()
	defer tx.Rollback()
	if err := tx.Model(&Lot{}).Where("id = ?", id).Update("high", sum).Error; err != nil { // also: lostupdate
		return err
	}
	return tx.Commit().Error
}
