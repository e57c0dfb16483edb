package good

import (
	"context"
	"database/sql"
)

type DBTX interface {
	ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error)
}

func noSyncCommit(ctx context.Context, db DBTX) error {
	_, err := db.ExecContext(ctx, "SET LOCAL synchronous_commit TO OFF")
	return err
}

type Events struct{ db *sql.DB }

func (e *Events) Append(ctx context.Context, bodies []string) error {
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := noSyncCommit(ctx, tx); err != nil {
		return err
	}
	for _, b := range bodies {
		if _, err := tx.ExecContext(ctx, "INSERT INTO events (body) VALUES ($1)", b); err != nil {
			return err
		}
	}
	return tx.Commit()
}
