// Package good compares what it has read with what the client says, and replaces it.
package good

import (
	"context"
	"crypto/subtle"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrWrong = errors.New("wrong")

type Users struct{ pool *pgxpool.Pool }

func (u *Users) ChangePassword(ctx context.Context, id int64, old, hash []byte) error {
	var has []byte
	if err := u.pool.QueryRow(ctx, `SELECT password_hash FROM users WHERE id = $1`, id).Scan(&has); err != nil {
		return err
	}
	if subtle.ConstantTimeCompare(has, old) != 1 {
		return ErrWrong
	}
	_, err := u.pool.Exec(ctx, `UPDATE users SET password_hash = $2 WHERE id = $1`, id, hash)
	return err
}

func (u *Users) Verify(ctx context.Context, id int64) error {
	var verified bool
	if err := u.pool.QueryRow(ctx, `SELECT verified FROM users WHERE id = $1`, id).Scan(&verified); err != nil {
		return err
	}
	if !verified {
		if _, err := u.pool.Exec(ctx, `UPDATE users SET verified = true WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return nil
}

// Seen writes a time, if the last one is old.
func (u *Users) Seen(ctx context.Context, id int64) error {
	var at time.Time
	if err := u.pool.QueryRow(ctx, `SELECT seen_at FROM users WHERE id = $1`, id).Scan(&at); err != nil {
		return err
	}
	if time.Since(at) < time.Minute {
		return nil
	}
	_, err := u.pool.Exec(ctx, `UPDATE users SET seen_at = now() WHERE id = $1`, id)
	return err
}

// Restore reads what an UPDATE has returned, and nobody else can have.
func (u *Users) Restore(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, u.pool, func(tx pgx.Tx) error {
		var lives int
		err := tx.QueryRow(ctx, `UPDATE users SET locked_by = 'restore' WHERE id = $1 RETURNING lives`, id).Scan(&lives)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE users SET lives = $2, locked_by = NULL WHERE id = $1`, id, lives+1)
		return err
	})
}

// Sync writes what another system says, where it is something else.
func (u *Users) Sync(ctx context.Context, id int64, plan string, seats int) error {
	var oldPlan string
	var oldSeats int
	err := u.pool.QueryRow(ctx, `SELECT plan, seats FROM users WHERE id = $1`, id).Scan(&oldPlan, &oldSeats)
	if err != nil {
		return err
	}
	if oldPlan == plan && oldSeats == seats {
		return nil
	}
	_, err = u.pool.Exec(ctx, `UPDATE users SET plan = $2, seats = $3 WHERE id = $1`, id, plan, seats)
	return err
}

// Disable clears what is set.
func (u *Users) Disable(ctx context.Context, id int64) error {
	var enabled bool
	var tokens []string
	if err := u.pool.QueryRow(ctx, `SELECT enabled, tokens FROM users WHERE id = $1`, id).Scan(&enabled, &tokens); err != nil {
		return err
	}
	if !enabled || len(tokens) == 0 {
		return nil
	}
	_, err := u.pool.Exec(ctx, `UPDATE users SET enabled = false, tokens = '{}' WHERE id = $1`, id)
	return err
}
