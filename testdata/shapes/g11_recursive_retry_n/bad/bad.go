package bad

import (
	"context"
	"database/sql"
	"gorm.io/gorm"
)

type S struct{ db *gorm.DB }

// retry tries again whatever the error is of.
func (s *S) Close(ctx context.Context, id int64) error {
	opt := &sql.TxOptions{}
	opt.Isolation = sql.LevelRepeatableRead
	tx := s.db.WithContext(ctx).Begin(opt) // expect: unhandled40001
	if tx.Error != nil {
		return tx.Error
	}
	defer tx.Rollback()
	if err := tx.Exec("UPDATE bills SET closed = true WHERE id = ?", id).Error; err != nil {
		return err
	}
	return tx.Commit().Error
}
