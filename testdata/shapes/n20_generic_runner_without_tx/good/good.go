package good

import (
	"context"
	"database/sql"
)

type DBTX interface {
	ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row
}

func with[T any](ctx context.Context, db *sql.DB, fn func(context.Context, DBTX) (T, error)) (out T, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return out, err
	}
	defer tx.Rollback()
	if out, err = fn(ctx, tx); err != nil {
		return out, err
	}
	return out, tx.Commit()
}

type Tickets struct{ db *sql.DB }

func (t *Tickets) Next(ctx context.Context, kind string) (int64, error) {
	return with(ctx, t.db, func(ctx context.Context, db DBTX) (n int64, err error) {
		if _, err = db.ExecContext(ctx, "SELECT pg_advisory_xact_lock(42)"); err != nil {
			return 0, err
		}
		err = db.QueryRowContext(ctx, "INSERT INTO tickets (kind, n) SELECT $1, coalesce(max(n), 0) + 1 FROM tickets WHERE kind = $1 RETURNING n", kind).Scan(&n)
		return n, err
	})
}
