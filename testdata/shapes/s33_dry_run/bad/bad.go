// Package planner runs statements as the owner of the database.
package planner

import (
	"context"
	"database/sql"

	_ "github.com/lib/pq"
)

// Open opens the database.
func Open(dsn string) (*sql.DB, error) { return sql.Open("postgres", dsn) }

// Apply runs the statement as the owner.
func Apply(ctx context.Context, db *sql.DB, statement string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "SET SESSION ROLE app_owner"); err != nil { // expect: sessionset
		return err
	}
	if _, err := tx.ExecContext(ctx, statement); err != nil {
		return err
	}
	return tx.Commit()
}
