package bad

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
	var c Coupon
	if err := s.GetContext(ctx, &c, pickCoupon, code); err != nil { // expect: lockoutsidetx
		return err
	}
	if c.Used {
		return errors.New("used")
	}
	_, err := s.NamedExecContext(ctx, `UPDATE coupons SET used = true WHERE id = :id`, c) // also: lostupdate
	return err
}
