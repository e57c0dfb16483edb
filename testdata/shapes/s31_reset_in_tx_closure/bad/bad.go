package bad

import (
	"context"
	"database/sql"
	"fmt"
)

type txFunc func(ctx context.Context, tx *sql.Tx) error

type Manager struct{ db *sql.DB }

// Do runs fn as a user; the name stays on the session after the commit.
func (m *Manager) Do(ctx context.Context, user int64, fn txFunc) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, fmt.Sprintf("SET SESSION app.user_id = '%d'", user)); err != nil { // expect: sessionset
		tx.Rollback()
		return err
	}
	if err = fn(ctx, tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}
