package bad

import (
	"errors"
	"time"

	"gorm.io/gorm"
)

type EmailJob struct {
	ID       uint
	State    string
	LockedAt *time.Time
}

var ErrNoJob = errors.New("no job")

func Claim(db *gorm.DB) (*EmailJob, error) {
	var job EmailJob
	err := db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Where("state = ?", "queued").Order("id asc").First(&job).Error; err != nil { // expect: skiplocked
			return err
		}
		now := time.Now()
		job.State, job.LockedAt = "running", &now
		return tx.Save(&job).Error
	})
	return &job, err
}
