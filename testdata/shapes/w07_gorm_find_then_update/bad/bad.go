package bad

import (
	"context"

	"gorm.io/gorm"
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
	err := r.db.WithContext(ctx).Where("status = ?", "pending").Order("id").Limit(10).Find(&tasks).Error // expect: skiplocked
	if err != nil {
		return err
	}
	for i := range tasks {
		if err := r.db.WithContext(ctx).Model(&tasks[i]).Update("status", "running").Error; err != nil {
			return err
		}
		if err := r.do(tasks[i]); err != nil {
			return err
		}
	}
	return nil
}
