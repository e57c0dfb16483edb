// Package good subtracts, and looks at what is left then.
package good

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
	err = tx.QueryRowContext(ctx, `UPDATE events SET seats_left = seats_left - 1 WHERE id = $1 RETURNING seats_left`, event).Scan(&left)
	if err != nil {
		return err
	}
	if left < 0 {
		return ErrSoldOut
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO bookings (event_id, user_id) VALUES ($1, $2)`, event, user); err != nil {
		return err
	}
	return tx.Commit()
}

// Publish reads a title, for the message that it writes elsewhere.
func (e *Events) Publish(ctx context.Context, event int64) error {
	var title string
	if err := e.db.QueryRowContext(ctx, `SELECT title FROM events WHERE id = $1`, event).Scan(&title); err != nil {
		return err
	}
	if _, err := e.db.ExecContext(ctx, `UPDATE events SET published_at = now() WHERE id = $1`, event); err != nil {
		return err
	}
	_, err := e.db.ExecContext(ctx, `INSERT INTO news (text) VALUES ($1)`, "new: "+title)
	return err
}
