package good

import (
	"context"
	"database/sql"
)

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
	for _, c := range []*sql.Conn{first, second} {
		if _, err := c.ExecContext(ctx, "SELECT pg_advisory_lock_shared($1)", a); err != nil {
			return err
		}
		defer c.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock_shared($1)", a)
	}
	return fn(first, second)
}
