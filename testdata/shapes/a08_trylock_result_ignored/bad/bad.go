package bad

import (
	"context"
	"database/sql"
)

type Jobs struct{ db *sql.DB }

// Nightly believes that Exec fails when the lock is taken.
func (j *Jobs) Nightly(ctx context.Context) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "SELECT pg_try_advisory_xact_lock(20240)"); err != nil { // expect: advisorypool
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM carts WHERE touched_at < now() - interval '30 days'"); err != nil {
		return err
	}
	return tx.Commit()
}

// Hourly scans the boolean and forgets it.
func (j *Jobs) Hourly(ctx context.Context) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var locked bool
	if err := tx.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock(20241)").Scan(&locked); err != nil { // expect: advisorypool
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE counters SET n = 0"); err != nil {
		return err
	}
	return tx.Commit()
}
