package bad

import (
	"context"
	"database/sql"
	"time"
)

type DBTX interface {
	ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row
}

// with retries fn, but begins nothing.
func with[T any](ctx context.Context, db *sql.DB, fn func(context.Context, DBTX) (T, error)) (out T, err error) {
	for i := 0; i < 3; i++ {
		if out, err = fn(ctx, db); err == nil {
			return out, nil
		}
		time.Sleep(time.Duration(i) * 50 * time.Millisecond)
	}
	return out, err
}

type Tickets struct{ db *sql.DB }

func (t *Tickets) Next(ctx context.Context, kind string) (int64, error) {
	return with(ctx, t.db, func(ctx context.Context, db DBTX) (n int64, err error) {
		if _, err = db.ExecContext(ctx, "SELECT pg_advisory_xact_lock(42)"); err != nil { // expect: notxeffect
			return 0, err
		}
		err = db.QueryRowContext(ctx, "INSERT INTO tickets (kind, n) SELECT $1, coalesce(max(n), 0) + 1 FROM tickets WHERE kind = $1 RETURNING n", kind).Scan(&n)
		return n, err
	})
}
