// Package bad tests what is left, and subtracts in SQL without a test.
package bad

import (
	"context"
	"database/sql"
	"errors"
)

var ErrSoldOut = errors.New("sold out")

type Events struct{ db *sql.DB }

func (e *Events) Book(ctx context.Context, event, user int64) error {
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var left int
	if err := tx.QueryRowContext(ctx, `SELECT seats_left FROM events WHERE id = $1`, event).Scan(&left); err != nil {
		return err
	}
	if left == 0 {
		return ErrSoldOut
	}
	if _, err := tx.ExecContext(ctx, `UPDATE events SET seats_left = seats_left - 1 WHERE id = $1`, event); err != nil { // expect: lostupdate
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO bookings (event_id, user_id) VALUES ($1, $2)`, event, user); err != nil {
		return err
	}
	return tx.Commit()
}
