// Package migrate sets tables up, one instance of the service at a time.
package migrate

import (
	"context"
	"database/sql"
	"fmt"

	_ "github.com/lib/pq"
)

const setupLock = 7100420

// Setup makes the tables. They are made on connections of their own: some
// statements do not run in a transaction.
func Setup(ctx context.Context, db *sql.DB) error {
	return guarded(ctx, db, func(*sql.Tx) error {
		return tables(ctx, db)
	})
}

// Renew makes the index anew.
func Renew(ctx context.Context, db *sql.DB) error {
	guard, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer guard.Rollback()
	if _, err := guard.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
		return err
	}
	if _, err := guard.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", setupLock); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "REINDEX INDEX CONCURRENTLY samples_taken_at"); err != nil {
		return err
	}
	return guard.Commit()
}

func guarded(ctx context.Context, db *sql.DB, work func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", setupLock); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	if err := work(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func tables(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS samples (id bigint PRIMARY KEY, taken_at timestamptz)")
	return err
}
