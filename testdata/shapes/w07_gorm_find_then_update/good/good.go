package good

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Task struct {
	ID     uint
	Status string
}

type Runner struct {
	db *gorm.DB
	do func(Task) error
}

func (r *Runner) Work(ctx context.Context) error {
	var tasks []Task
	err := r.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		err := tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate, Options: clause.LockingOptionsSkipLocked}).
			Where("status = ?", "pending").Order("id").Limit(10).Find(&tasks).Error
		if err != nil || len(tasks) == 0 {
			return err
		}
		return tx.Model(&tasks).Update("status", "running").Error
	})
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if err := r.do(t); err != nil {
			return err
		}
	}
	return nil
}
