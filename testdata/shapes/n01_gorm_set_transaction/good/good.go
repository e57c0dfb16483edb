package good

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

func (s *Stock) Totals(id uint) (sum int64, err error) {
	tx := s.db.Begin()
	defer tx.Rollback()
	if err := tx.Exec("set transaction isolation level repeatable read, read only").Error; err != nil {
		return 0, err
	}
	if err := tx.Model(&Product{}).Select("sum(qty)").Scan(&sum).Error; err != nil {
		return 0, err
	}
	return sum, tx.Commit().Error
}
