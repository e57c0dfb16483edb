package bad

import (
	"context"
	"database/sql"
)

// Swap takes two sessions and unlocks on the wrong one.
func Swap(ctx context.Context, db *sql.DB, a, b int64, fn func(*sql.Conn, *sql.Conn) error) error {
	first, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer first.Close()
	second, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer second.Close()
	if _, err := first.ExecContext(ctx, "SELECT pg_advisory_lock($1)", a); err != nil { // expect: advisorypool
		return err
	}
	defer second.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", a) // or: advisorypool
	return fn(first, second)
}
