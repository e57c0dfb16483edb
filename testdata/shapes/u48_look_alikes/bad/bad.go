// Package bad reads rows and writes them, and loses what others have written.
package bad

import (
	"context"
	"database/sql"
	"errors"
)

var ErrBlocked = errors.New("blocked")

type Logins struct{ db *sql.DB }

func (l *Logins) Failed(ctx context.Context, user string) error {
	var failures int
	var blocked bool
	err := l.db.QueryRowContext(ctx, `SELECT failures, blocked FROM logins WHERE name = $1`, user).Scan(&failures, &blocked)
	if err != nil {
		return err
	}
	if blocked {
		return ErrBlocked
	}
	failures++
	_, err = l.db.ExecContext(ctx, `UPDATE logins SET failures = $1, blocked = $2 WHERE name = $3`, failures, failures >= 5, user) // expect: lostupdate
	return err
}

// Toggle writes the contrary of what it has read.
func (l *Logins) Toggle(ctx context.Context, user string) (bool, error) {
	var on bool
	err := l.db.QueryRowContext(ctx, `SELECT enabled FROM logins WHERE name = $1`, user).Scan(&on)
	if err != nil {
		return false, err
	}
	_, err = l.db.ExecContext(ctx, `UPDATE logins SET enabled = $1 WHERE name = $2`, !on, user) // expect: lostupdate
	return !on, err
}

// Best keeps the highest score.
func (l *Logins) Best(ctx context.Context, user string, score int) error {
	var best int
	err := l.db.QueryRowContext(ctx, `SELECT best FROM logins WHERE name = $1`, user).Scan(&best)
	if err != nil {
		return err
	}
	if score <= best {
		return nil
	}
	_, err = l.db.ExecContext(ctx, `UPDATE logins SET best = $1 WHERE name = $2`, score, user) // expect: lostupdate
	return err
}

// Pay takes what is due and writes down that it was paid.
func (l *Logins) Pay(ctx context.Context, id int64) error {
	var state string
	var cents int64
	err := l.db.QueryRowContext(ctx, `SELECT state, cents FROM bills WHERE id = $1`, id).Scan(&state, &cents)
	if err != nil {
		return err
	}
	switch state {
	case "paid", "void":
		return nil
	}
	if _, err := l.db.ExecContext(ctx, `INSERT INTO payments (bill_id, cents) VALUES ($1, $2)`, id, cents); err != nil {
		return err
	}
	_, err = l.db.ExecContext(ctx, `UPDATE bills SET state = 'paid' WHERE id = $1`, id) // expect: lostupdate
	return err
}
