package good

import (
	"context"
	"database/sql"
	"fmt"
)

type txFunc func(ctx context.Context, tx *sql.Tx) error

type Manager struct{ db *sql.DB }

// Do runs fn as a user and takes the name away before the commit; a rollback
// takes it away by itself.
func (m *Manager) Do(ctx context.Context, user int64, fn txFunc) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err = tx.ExecContext(ctx, fmt.Sprintf("SET SESSION app.user_id = '%d'", user)); err != nil {
		return err
	}
	if err = fn(ctx, tx); err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, "RESET app.user_id"); err != nil {
		return err
	}
	return tx.Commit()
}
