// Package good takes a token that serves once by deleting or marking it.
package good

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrInvalid = errors.New("invalid token")

type Auth struct{ pool *pgxpool.Pool }

func (a *Auth) Login(ctx context.Context, token string) (user int64, err error) {
	err = a.pool.QueryRow(ctx, `UPDATE magic_links SET used = true WHERE token = $1 AND NOT used AND expires_at > now() RETURNING user_id`, token).Scan(&user)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrInvalid
	}
	return user, err
}

func (a *Auth) LoginDelete(ctx context.Context, token string) (user int64, err error) {
	var expires time.Time
	err = a.pool.QueryRow(ctx, `SELECT user_id, expires_at FROM magic_links WHERE token = $1`, token).Scan(&user, &expires)
	if err != nil {
		return 0, err
	}
	if time.Now().After(expires) {
		return 0, ErrInvalid
	}
	tag, err := a.pool.Exec(ctx, `DELETE FROM magic_links WHERE token = $1`, token)
	if err != nil {
		return 0, err
	}
	if tag.RowsAffected() != 1 {
		return 0, ErrInvalid
	}
	_, err = a.pool.Exec(ctx, `INSERT INTO sessions (user_id, created_at) VALUES ($1, now())`, user)
	return user, err
}

// Clean removes what has expired.
func (a *Auth) Clean(ctx context.Context, token string) error {
	var expires time.Time
	err := a.pool.QueryRow(ctx, `SELECT expires_at FROM magic_links WHERE token = $1`, token).Scan(&expires)
	if err != nil {
		return err
	}
	if time.Now().Before(expires) {
		return nil
	}
	_, err = a.pool.Exec(ctx, `DELETE FROM magic_links WHERE token = $1`, token)
	return err
}
