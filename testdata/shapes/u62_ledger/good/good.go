// Package good locks what stands for the sum, or lets a constraint decide.
package good

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	ErrPoor  = errors.New("poor")
	ErrTaken = errors.New("taken")
)

type Ledger struct{ pool *pgxpool.Pool }

func (l *Ledger) Withdraw(ctx context.Context, account, n int64) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE`, account); err != nil {
			return err
		}
		var sum int64
		err := tx.QueryRow(ctx, `SELECT COALESCE(SUM(cents), 0) FROM entries WHERE account_id = $1`, account).Scan(&sum)
		if err != nil {
			return err
		}
		if sum < n {
			return ErrPoor
		}
		_, err = tx.Exec(ctx, `INSERT INTO entries (account_id, cents) VALUES ($1, $2)`, account, -n)
		return err
	})
}

// Book has an exclusion constraint.
func (l *Ledger) Book(ctx context.Context, room int64, from, to time.Time) error {
	var n int
	err := l.pool.QueryRow(ctx, `SELECT count(*) FROM bookings WHERE room_id = $1 AND starts_at < $3 AND ends_at > $2`, room, from, to).Scan(&n)
	if err != nil {
		return err
	}
	if n > 0 {
		return ErrTaken
	}
	_, err = l.pool.Exec(ctx, `INSERT INTO bookings (room_id, starts_at, ends_at) VALUES ($1, $2, $3)`, room, from, to)
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23P01" {
		return ErrTaken
	}
	return err
}

type Likes struct{ db *sql.DB }

func (l *Likes) Like(ctx context.Context, user, post int64) error {
	_, err := l.db.ExecContext(ctx, `
		INSERT INTO likes (user_id, post_id) SELECT $1, $2
		WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE user_id = $1)
		ON CONFLICT DO NOTHING`, user, post)
	return err
}

// Comment needs the post to be there, and adds one more comment to it.
func (l *Likes) Comment(ctx context.Context, user, post int64, text string) error {
	var n int
	if err := l.db.QueryRowContext(ctx, `SELECT count(*) FROM posts WHERE id = $1`, post).Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		return sql.ErrNoRows
	}
	_, err := l.db.ExecContext(ctx, `INSERT INTO comments (post_id, user_id, text) VALUES ($1, $2, $3)`, post, user, text)
	return err
}

// Reply needs a comment of the same table to be there.
func (l *Likes) Reply(ctx context.Context, parent int64, text string) error {
	var post int64
	if err := l.db.QueryRowContext(ctx, `SELECT post_id FROM comments WHERE id = $1`, parent).Scan(&post); err != nil {
		return err
	}
	_, err := l.db.ExecContext(ctx, `INSERT INTO comments (post_id, parent_id, text) VALUES ($1, $2, $3)`, post, parent, text)
	return err
}

// Log counts for a message.
func (l *Likes) Log(ctx context.Context, user int64, limit int) (warn bool, err error) {
	var n int
	if err := l.db.QueryRowContext(ctx, `SELECT count(*) FROM visits WHERE user_id = $1`, user).Scan(&n); err != nil {
		return false, err
	}
	_, err = l.db.ExecContext(ctx, `INSERT INTO visits (user_id) VALUES ($1)`, user)
	return n > limit, err
}
