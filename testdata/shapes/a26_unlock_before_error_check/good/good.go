package good

import (
	"context"
	"database/sql"
	"database/sql/driver"
)

func Publish(ctx context.Context, db *sql.DB, id int64) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	if _, err = conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", id); err != nil {
		_ = conn.Close()
		return err
	}
	cleanup := func() {
		if _, uerr := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", id); uerr != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
		_ = conn.Close()
	}
	defer cleanup()
	if _, err = conn.ExecContext(ctx, "UPDATE issues SET state = 'live' WHERE id = $1", id); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "INSERT INTO outbox (issue_id) VALUES ($1)", id)
	return err
}
