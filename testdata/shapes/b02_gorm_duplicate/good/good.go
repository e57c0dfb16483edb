package good

import (
	"errors"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Tag struct {
	ID   uint
	Name string `gorm:"unique"`
}

func GetOrCreate(db *gorm.DB, name string) (t Tag, err error) {
	err = db.Transaction(func(tx *gorm.DB) error {
		t = Tag{Name: name}
		err := tx.Transaction(func(sp *gorm.DB) error { return sp.Create(&t).Error })
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return tx.Where("name = ?", name).First(&t).Error
		}
		return err
	})
	return t, err
}

func WithSavepoint(db *gorm.DB, name string) (t Tag, err error) {
	tx := db.Begin()
	defer tx.Rollback()
	tx.SavePoint("tag")
	if err := tx.Create(&Tag{Name: name}).Error; err != nil {
		if err := tx.RollbackTo("tag").Error; err != nil {
			return t, err
		}
		if err := tx.Where("name = ?", name).First(&t).Error; err != nil {
			return t, err
		}
	}
	return t, tx.Commit().Error
}

func Upsert(db *gorm.DB, name string) (t Tag, err error) {
	err = db.Transaction(func(tx *gorm.DB) error {
		t = Tag{Name: name}
		res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&t)
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			return tx.Where("name = ?", name).First(&t).Error
		}
		return nil
	})
	return t, err
}

// AfterAll reads again when the transaction is over.
func AfterAll(db *gorm.DB, name string) (t Tag, err error) {
	err = db.Transaction(func(tx *gorm.DB) error {
		t = Tag{Name: name}
		return tx.Create(&t).Error
	})
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		err = db.Where("name = ?", name).First(&t).Error
	}
	return t, err
}
