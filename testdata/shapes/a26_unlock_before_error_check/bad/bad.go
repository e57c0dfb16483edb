package bad

import (
	"context"
	"database/sql"
	"errors"
)

// Publish unlocks on success and on the first error, but not on the second.
func Publish(ctx context.Context, db *sql.DB, id int64) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	if _, err = conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", id); err != nil { // expect: advisorypool
		_ = conn.Close()
		return err
	}
	if _, err = conn.ExecContext(ctx, "UPDATE issues SET state = 'live' WHERE id = $1", id); err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", id)
		_ = conn.Close()
		return err
	}
	if _, err = conn.ExecContext(ctx, "INSERT INTO outbox (issue_id) VALUES ($1)", id); err != nil {
		_ = conn.Close() // or: advisorypool
		return err
	}
	_, err = conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", id)
	return errors.Join(err, conn.Close())
}
