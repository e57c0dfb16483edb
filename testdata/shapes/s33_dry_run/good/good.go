// Package planner tries statements as the owner of the database.
package planner

import (
	"context"
	"database/sql"

	_ "github.com/lib/pq"
)

// Open opens the database.
func Open(dsn string) (*sql.DB, error) { return sql.Open("postgres", dsn) }

// Cost says what the planner thinks of the statement. The transaction is always
// rolled back, and the role with it.
func Cost(ctx context.Context, db *sql.DB, statement string) (plan string, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "SET SESSION ROLE app_owner"); err != nil {
		return "", err
	}
	err = tx.QueryRowContext(ctx, "EXPLAIN "+statement).Scan(&plan)
	return plan, err
}
