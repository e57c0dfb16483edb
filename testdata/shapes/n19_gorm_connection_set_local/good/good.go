package good

import (
	"gorm.io/gorm"
)

type Doc struct {
	ID   uint
	Body string
}

func Search(db *gorm.DB, words string) (docs []Doc, err error) {
	err = db.Connection(func(c *gorm.DB) error {
		return c.Transaction(func(tx *gorm.DB) error {
			if err := tx.Exec("SET LOCAL pg_trgm.similarity_threshold = 0.2").Error; err != nil {
				return err
			}
			return tx.Where("body % ?", words).Find(&docs).Error
		})
	})
	return docs, err
}
