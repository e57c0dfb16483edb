package good

import (
	"context"
	"database/sql"
	"gorm.io/gorm"
	"strings"
)

type S struct{ db *gorm.DB }

func (s *S) Close(ctx context.Context, id int64) error { return s.close(ctx, id, 3) }

func (s *S) close(ctx context.Context, id int64, left int) error {
	opt := &sql.TxOptions{}
	opt.Isolation = sql.LevelRepeatableRead
	err := s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Exec("UPDATE bills SET closed = true WHERE id = ?", id).Error
	}, opt)
	if err != nil && left > 0 && strings.Contains(err.Error(), "could not serialize access due to concurrent update") {
		return s.close(ctx, id, left-1)
	}
	return err
}
