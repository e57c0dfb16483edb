// Package bad keeps coupons with upper/db.
package bad

import (
	"context"
	"database/sql"
	"net/http"

	"github.com/upper/db/v4"
	"github.com/upper/db/v4/adapter/postgresql"
)

type Coupons struct{ sess db.Session }

// Redeem locks the row outside of a transaction.
func Redeem(url postgresql.ConnectionURL, code string) error {
	sess, err := postgresql.Open(url)
	if err != nil {
		return err
	}
	defer sess.Close()
	row, err := sess.SQL().QueryRow("SELECT left_over FROM coupons WHERE code = ? FOR UPDATE", code) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	var n int
	if err := row.Scan(&n); err != nil || n == 0 {
		return err
	}
	_, err = sess.SQL().Exec("UPDATE coupons SET left_over = left_over - 1 WHERE code = ?", code)
	return err
}

// Move writes with the session that it has begun the transaction on.
func (c *Coupons) Move(ctx context.Context, from, to string) error {
	return c.sess.TxContext(ctx, func(tx db.Session) error {
		if _, err := tx.SQL().Exec("UPDATE coupons SET left_over = 0 WHERE code = ?", from); err != nil {
			return err
		}
		if err := c.sess.Collection("coupons").Find("code", to).Update(map[string]any{"left_over": 1}); err != nil { // expect: poolintx
			return err
		}
		_, err := http.Get("https://mail.example/moved") // expect: externalcall
		return err
	}, &sql.TxOptions{})
}
