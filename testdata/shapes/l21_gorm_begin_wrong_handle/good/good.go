package good

import (
	"database/sql"
	"errors"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Voucher struct {
	ID   uint
	Left int
}

func Spend(db *gorm.DB, id uint) (err error) {
	tx := db.Begin(&sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if tx.Error != nil {
		return tx.Error
	}
	defer func() {
		if err != nil {
			tx.Rollback()
		}
	}()
	var v Voucher
	if err = tx.Clauses(clause.Locking{Strength: "UPDATE", Options: "NOWAIT"}).First(&v, "id = ?", id).Error; err != nil {
		return err
	}
	if v.Left == 0 {
		err = errors.New("spent")
		return err
	}
	if err = tx.Model(&v).Update("left", v.Left-1).Error; err != nil {
		return err
	}
	err = tx.Commit().Error
	return err
}
