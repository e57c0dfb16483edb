package good

import (
	"errors"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Lot struct {
	ID   uint
	High int64
}

func highest(db *gorm.DB, id uint) (lot Lot, err error) {
	err = db.Clauses(clause.Locking{Strength: "UPDATE"}).First(&lot, id).Error
	return lot, err
}

// Bid is called with a transaction; the inner one is a savepoint.
func Bid(db *gorm.DB, id uint, sum int64) error {
	lot, err := highest(db, id)
	if err != nil {
		return err
	}
	if lot.High >= sum {
		return errors.New("too low")
	}
	return db.Transaction(func(tx *gorm.DB) error {
		return tx.Model(&Lot{}).Where("id = ?", id).Update("high", sum).Error
	})
}
