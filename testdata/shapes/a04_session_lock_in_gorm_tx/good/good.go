package good

import (
	"gorm.io/gorm"
)

type Period struct {
	ID     uint
	Closed bool
}

func ClosePeriod(db *gorm.DB, id uint) error {
	return db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("SELECT pg_advisory_xact_lock(?)", id).Error; err != nil {
			return err
		}
		return tx.Model(&Period{}).Where("id = ?", id).Update("closed", true).Error
	})
}
