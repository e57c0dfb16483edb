package bad

import (
	"errors"
	"gorm.io/gorm"
)

type Tag struct {
	ID   uint
	Name string `gorm:"unique"`
}

func GetOrCreate(db *gorm.DB, name string) (t Tag, err error) {
	err = db.Transaction(func(tx *gorm.DB) error {
		t = Tag{Name: name}
		err := tx.Create(&t).Error
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return tx.Where("name = ?", name).First(&t).Error // expect: abortedtx
		}
		return err
	})
	return t, err
}
