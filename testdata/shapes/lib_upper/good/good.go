// Package good keeps coupons with upper/db.
package good

import (
	"context"
	"net/http"

	"github.com/upper/db/v4"
	"github.com/upper/db/v4/adapter/postgresql"
)

type Coupons struct{ sess db.Session }

func Redeem(url postgresql.ConnectionURL, code string) error {
	sess, err := postgresql.Open(url)
	if err != nil {
		return err
	}
	defer sess.Close()
	return sess.Tx(func(tx db.Session) error {
		row, err := tx.SQL().QueryRow("SELECT left_over FROM coupons WHERE code = ? FOR UPDATE", code)
		if err != nil {
			return err
		}
		var n int
		if err := row.Scan(&n); err != nil || n == 0 {
			return err
		}
		_, err = tx.SQL().Exec("UPDATE coupons SET left_over = left_over - 1 WHERE code = ?", code)
		return err
	})
}

func (c *Coupons) Move(ctx context.Context, from, to string) error {
	err := c.sess.TxContext(ctx, func(tx db.Session) error {
		if _, err := tx.SQL().Exec("UPDATE coupons SET left_over = 0 WHERE code = ?", from); err != nil {
			return err
		}
		return tx.Collection("coupons").Find("code", to).Update(map[string]any{"left_over": 1})
	}, nil)
	if err != nil {
		return err
	}
	_, err = http.Get("https://mail.example/moved")
	return err
}
