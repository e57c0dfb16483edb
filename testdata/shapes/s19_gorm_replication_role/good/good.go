package good

import (
	"gorm.io/gorm"
)

type Row struct {
	ID   uint
	Data string
}

func Load(db *gorm.DB, rows []Row) error {
	return db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("SET LOCAL session_replication_role = replica").Error; err != nil {
			return err
		}
		return tx.CreateInBatches(rows, 500).Error
	})
}

// LoadOne pins a session and sets the role back.
func LoadOne(db *gorm.DB, rows []Row) error {
	return db.Connection(func(one *gorm.DB) error {
		if err := one.Exec("SET session_replication_role = replica").Error; err != nil {
			return err
		}
		defer one.Exec("SET session_replication_role = DEFAULT")
		return one.CreateInBatches(rows, 500).Error
	})
}
