// Package coupons redeems coupons that may be used a limited number of times:
// sqlx.
package coupons

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
)

// ErrUsedUp says that the coupon has been used as often as it may be.
var ErrUsedUp = errors.New("coupon is used up")

// Coupon is a row of coupons.
type Coupon struct {
	Code  string `db:"code"`
	Used  int    `db:"used"`
	Limit int    `db:"max_uses"`
}

// Repository stores coupons.
type Repository struct{ db *sqlx.DB }

// NewRepository returns a repository over the database.
func NewRepository(db *sqlx.DB) *Repository { return &Repository{db: db} }

const couponForUpdate = `SELECT code, used, max_uses FROM coupons WHERE code = $1 ` + forUpdate

const forUpdate = `FOR UPDATE`

// Redeem uses the coupon once for the order.
func (r *Repository) Redeem(ctx context.Context, code string, order int64) error {
	var c Coupon
	if err := r.db.GetContext(ctx, &c, couponForUpdate, code); err != nil { // want "row lock"
		return err
	}
	if c.Used >= c.Limit {
		return ErrUsedUp
	}
	// Not even this transaction helps: it begins after the lock is gone.
	tx, err := r.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return r.use(ctx, tx, c, order)
}

// RedeemInTx reads the coupon in the transaction that uses it.
//
//proof:fixes (*Repository).Redeem
func (r *Repository) RedeemInTx(ctx context.Context, code string, order int64) error {
	tx, err := r.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var c Coupon
	if err := tx.GetContext(ctx, &c, couponForUpdate, code); err != nil {
		return err
	}
	if c.Used >= c.Limit {
		return ErrUsedUp
	}
	return r.use(ctx, tx, c, order)
}

// use writes the redemption and commits.
func (r *Repository) use(ctx context.Context, tx *sqlx.Tx, c Coupon, order int64) error {
	if _, err := tx.ExecContext(ctx, `INSERT INTO redemptions (code, order_id) VALUES ($1, $2)`, c.Code, order); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE coupons SET used = used + 1 WHERE code = $1`, c.Code); err != nil {
		return err
	}
	return tx.Commit()
}
