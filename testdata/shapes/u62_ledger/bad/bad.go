// Package bad sums up before it adds a row that changes the sum.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	ErrPoor  = errors.New("poor")
	ErrTaken = errors.New("taken")
)

type Ledger struct{ pool *pgxpool.Pool }

func (l *Ledger) Withdraw(ctx context.Context, account, n int64) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		var sum int64
		err := tx.QueryRow(ctx, `SELECT COALESCE(SUM(cents), 0) FROM entries WHERE account_id = $1`, account).Scan(&sum)
		if err != nil {
			return err
		}
		if sum < n {
			return ErrPoor
		}
		_, err = tx.Exec(ctx, `INSERT INTO entries (account_id, cents) VALUES ($1, $2)`, account, -n) // missed: lostupdate
		return err
	})
}

// Book looks for bookings that overlap.
func (l *Ledger) Book(ctx context.Context, room int64, from, to time.Time) error {
	var n int
	err := l.pool.QueryRow(ctx, `SELECT count(*) FROM bookings WHERE room_id = $1 AND starts_at < $3 AND ends_at > $2`, room, from, to).Scan(&n)
	if err != nil {
		return err
	}
	if n > 0 {
		return ErrTaken
	}
	_, err = l.pool.Exec(ctx, `INSERT INTO bookings (room_id, starts_at, ends_at) VALUES ($1, $2, $3)`, room, from, to) // expect: lostupdate
	return err
}

type Likes struct{ db *sql.DB }

// Like has rows instead of a number.
func (l *Likes) Like(ctx context.Context, user, post int64) error {
	rows, err := l.db.QueryContext(ctx, `SELECT 1 FROM likes WHERE user_id = $1 AND post_id = $2 LIMIT 1`, user, post)
	if err != nil {
		return err
	}
	liked := rows.Next()
	if err := rows.Close(); err != nil {
		return err
	}
	if liked {
		return nil
	}
	_, err = l.db.ExecContext(ctx, `INSERT INTO likes (user_id, post_id) VALUES ($1, $2)`, user, post) // expect: lostupdate
	return err
}

// Toggle inserts or deletes.
func (l *Likes) Toggle(ctx context.Context, user, post int64) error {
	var one int
	err := l.db.QueryRowContext(ctx, `SELECT 1 FROM favourites WHERE user_id = $1 AND post_id = $2`, user, post).Scan(&one)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		_, err = l.db.ExecContext(ctx, `INSERT INTO favourites (user_id, post_id) VALUES ($1, $2)`, user, post) // expect: lostupdate
	case err == nil:
		_, err = l.db.ExecContext(ctx, `DELETE FROM favourites WHERE user_id = $1 AND post_id = $2`, user, post)
	}
	return err
}

// Put updates, and inserts where there was nothing to update.
func (l *Likes) Put(ctx context.Context, user int64, colour string) error {
	res, err := l.db.ExecContext(ctx, `UPDATE preferences SET colour = $2 WHERE user_id = $1`, user, colour)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil || n > 0 {
		return err
	}
	_, err = l.db.ExecContext(ctx, `INSERT INTO preferences (user_id, colour) VALUES ($1, $2)`, user, colour) // missed: lostupdate
	return err
}
