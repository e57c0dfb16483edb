// Package vouchers gives vouchers to customers: sqlx, with named arguments.
package vouchers

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
)

// ErrTaken says that somebody else has the voucher.
var ErrTaken = errors.New("the voucher is taken")

// A Claim is a customer's wish for a voucher.
type Claim struct {
	Code     string `db:"code"`
	Customer string `db:"customer"`
}

// Shop has vouchers.
type Shop struct{ db *sqlx.DB }

// NewShop returns a shop over the database.
func NewShop(db *sqlx.DB) *Shop { return &Shop{db: db} }

const redeem = `UPDATE vouchers SET redeemed_by = :customer, redeemed_at = now() WHERE code = :code AND redeemed_by IS NULL`

// Redeem gives a voucher to a customer, or believes so.
func (s *Shop) Redeem(ctx context.Context, c Claim) error {
	_, err := s.db.NamedExecContext(ctx, redeem, c) // want `UPDATE of vouchers changes: where "redeemed_by IS NULL"`
	return err
}

// RedeemOnce gives a voucher to one customer.
//
//proof:fixes (*Shop).Redeem
func (s *Shop) RedeemOnce(ctx context.Context, c Claim) error {
	res, err := s.db.NamedExecContext(ctx, redeem, c)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		err = ErrTaken
	}
	return err
}

// Retitle changes a voucher by its key and by the shop that it belongs to.
func (s *Shop) Retitle(ctx context.Context, code string, tenant int64, title string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE vouchers SET title = $3 WHERE code = $1 AND tenant_id = $2`, code, tenant, title)
	return err
}
