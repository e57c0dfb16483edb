package good

import (
	"context"
	"errors"
	"github.com/jmoiron/sqlx"
)

const pickCoupon = `
	SELECT id, used
	  FROM coupons
	 WHERE code = $1
	   FOR UPDATE NOWAIT`

type Coupon struct {
	ID   int64 `db:"id"`
	Used bool  `db:"used"`
}

type Store struct{ *sqlx.DB }

func (s Store) Redeem(ctx context.Context, code string) error {
	tx, err := s.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var c Coupon
	if err := tx.GetContext(ctx, &c, pickCoupon, code); err != nil {
		return err
	}
	if c.Used {
		return errors.New("used")
	}
	if _, err := tx.NamedExecContext(ctx, `UPDATE coupons SET used = true WHERE id = :id`, c); err != nil {
		return err
	}
	return tx.Commit()
}
