// Package bad takes a token that serves once, and uses it.
package bad

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrInvalid = errors.New("invalid token")

type Auth struct{ pool *pgxpool.Pool }

func (a *Auth) Login(ctx context.Context, token string) (int64, error) {
	var user int64
	var expires time.Time
	var used bool
	err := a.pool.QueryRow(ctx, `SELECT user_id, expires_at, used FROM magic_links WHERE token = $1`, token).Scan(&user, &expires, &used)
	if err != nil {
		return 0, err
	}
	if used || time.Now().After(expires) {
		return 0, ErrInvalid
	}
	err = pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE magic_links SET used = true WHERE token = $1`, token); err != nil { // expect: lostupdate
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO sessions (user_id, created_at) VALUES ($1, now())`, user)
		return err
	})
	return user, err
}
