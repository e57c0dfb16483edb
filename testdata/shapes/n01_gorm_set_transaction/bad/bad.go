package bad

import (
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

type Product struct {
	ID  uint
	Qty int
}

type Stock struct{ db *gorm.DB }

func OpenStock(dsn string) (*Stock, error) {
	db, err := gorm.Open(postgres.Open(dsn), &gorm.Config{})
	return &Stock{db: db}, err
}

// Take sets the level on one session and begins on another.
func (s *Stock) Take(id uint) error {
	if err := s.db.Exec("set transaction isolation level serializable").Error; err != nil { // expect: notxeffect
		return err
	}
	tx := s.db.Begin()
	defer tx.Rollback()
	var p Product
	if err := tx.First(&p, id).Error; err != nil {
		return err
	}
	if err := tx.Model(&p).Update("qty", p.Qty-1).Error; err != nil { // also: lostupdate
		return err
	}
	return tx.Commit().Error
}
