package bad

import (
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"log"
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
	var got bool
	if err := s.db.Raw("SELECT pg_try_advisory_lock(?)", 4711).Scan(&got).Error; err != nil { // expect: advisorypool
		return err
	}
	if !got {
		return nil
	}
	defer func() {
		if err := s.db.Exec("SELECT pg_advisory_unlock(?)", 4711).Error; err != nil { // also: advisorypool
			log.Println(err)
		}
	}()
	return job()
}
