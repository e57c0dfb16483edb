package good

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
		if err := tx.Where("state = ?", "queued").Order("id asc").First(&job).Error; err != nil {
			return err
		}
		res := tx.Model(&EmailJob{}).Where("id = ? AND state = ?", job.ID, "queued").Update("state", "running")
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			return ErrNoJob
		}
		return nil
	})
	return &job, err
}

// Remove names one job.
func Remove(db *gorm.DB, id uint) error {
	return db.Transaction(func(tx *gorm.DB) error {
		job, err := take(tx, id)
		if err != nil {
			return err
		}
		return tx.Delete(job).Error
	})
}

func take(tx *gorm.DB, id uint) (*EmailJob, error) {
	var job EmailJob
	err := tx.First(&job, id).Error
	return &job, err
}
