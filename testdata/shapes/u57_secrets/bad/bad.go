// Package bad takes a secret that serves once, and gives another one for it.
package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrWrong = errors.New("wrong")

type Sessions struct{ pool *pgxpool.Pool }

// Refresh gives a new token to whoever has the old one: to both of two.
func (s *Sessions) Refresh(ctx context.Context, id int64, token, next string) error {
	var has string
	if err := s.pool.QueryRow(ctx, `SELECT refresh_token FROM sessions WHERE id = $1`, id).Scan(&has); err != nil {
		return err
	}
	if has != token {
		return ErrWrong
	}
	_, err := s.pool.Exec(ctx, `UPDATE sessions SET refresh_token = $2 WHERE id = $1`, id, next) // expect: lostupdate
	return err
}

// Try counts wrong codes.
func (s *Sessions) Try(ctx context.Context, id int64, code string) error {
	var has string
	var tries int
	if err := s.pool.QueryRow(ctx, `SELECT code, tries FROM sessions WHERE id = $1`, id).Scan(&has, &tries); err != nil {
		return err
	}
	if tries >= 5 {
		return ErrWrong
	}
	if has == code {
		return nil
	}
	if _, err := s.pool.Exec(ctx, `UPDATE sessions SET tries = $2 WHERE id = $1`, id, tries+1); err != nil { // expect: lostupdate
		return err
	}
	return ErrWrong
}
