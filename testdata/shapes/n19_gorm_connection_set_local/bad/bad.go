package bad

import (
	"gorm.io/gorm"
)

type Doc struct {
	ID   uint
	Body string
}

func Search(db *gorm.DB, words string) (docs []Doc, err error) {
	err = db.Connection(func(c *gorm.DB) error {
		if err := c.Exec("SET LOCAL pg_trgm.similarity_threshold = 0.2").Error; err != nil { // expect: notxeffect
			return err
		}
		return c.Where("body % ?", words).Find(&docs).Error
	})
	return docs, err
}
