// Package sampling records samples, one instance of the service at a time.
package sampling

import (
	"context"
	"database/sql"

	_ "github.com/lib/pq"
)

const recordLock = 7100421

// Record counts a sample under a lock, and writes the two halves of it on two
// connections.
func Record(ctx context.Context, db *sql.DB, id int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", recordLock); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO samples (id) VALUES ($1)", id); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "INSERT INTO sample_counts (sample) VALUES ($1)", id); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}
