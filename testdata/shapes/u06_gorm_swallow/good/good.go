package good

import (
	"database/sql"
	"errors"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"log/slog"
)

type Svc struct{ db *gorm.DB }

type Coupon struct {
	ID   int64
	Used int
}

func (s *Svc) serial(fn func(tx *gorm.DB) error) error {
	var err error
	for i := 0; i < 4; i++ {
		err = s.db.Transaction(fn, &sql.TxOptions{Isolation: sql.LevelSerializable})
		var pe *pgconn.PgError
		if !errors.As(err, &pe) || pe.Code != "40001" {
			return err
		}
	}
	return err
}

func (s *Svc) Use(id int64) error {
	return s.serial(func(tx *gorm.DB) error {
		var c Coupon
		if err := tx.First(&c, id).Error; errors.Is(err, gorm.ErrRecordNotFound) {
			slog.Warn("no coupon", "id", id)
			return nil
		} else if err != nil {
			return err
		}
		if err := tx.Model(&c).Update("used", c.Used+1).Error; err != nil {
			slog.Error("coupon", "id", id, "err", err)
			return err
		}
		return nil
	})
}
