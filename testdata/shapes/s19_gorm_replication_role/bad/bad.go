package bad

import (
	"gorm.io/gorm"
)

type Row struct {
	ID   uint
	Data string
}

func Load(db *gorm.DB, rows []Row) error {
	return db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("SET session_replication_role = replica").Error; err != nil { // expect: sessionset
			return err
		}
		return tx.CreateInBatches(rows, 500).Error
	})
}
