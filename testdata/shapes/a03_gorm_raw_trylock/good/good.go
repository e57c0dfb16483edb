package good

import (
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

type Scheduler struct{ db *gorm.DB }

func NewScheduler(dsn string) (*Scheduler, error) {
	db, err := gorm.Open(postgres.Open(dsn), &gorm.Config{})
	if err != nil {
		return nil, err
	}
	return &Scheduler{db: db}, nil
}

func (s *Scheduler) Once(job func() error) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		var got bool
		if err := tx.Raw("SELECT pg_try_advisory_xact_lock(?)", 4711).Scan(&got).Error; err != nil {
			return err
		}
		if !got {
			return nil
		}
		return job()
	})
}
