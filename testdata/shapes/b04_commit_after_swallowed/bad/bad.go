package bad

import (
	"context"
	"github.com/jmoiron/sqlx"
	"log/slog"
)

type Audit struct{ db *sqlx.DB }

func (a *Audit) note(ctx context.Context, tx *sqlx.Tx, what string) {
	if _, err := tx.ExecContext(ctx, "INSERT INTO audit (what) VALUES ($1)", what); err != nil { // or: abortedtx
		slog.Warn("audit is best effort", "err", err)
	}
}

func (a *Audit) Ban(ctx context.Context, id int64) error {
	tx, err := a.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE users SET banned = true WHERE id = $1", id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO audit (what) VALUES ($1)", "ban"); err != nil {
		slog.Warn("audit is best effort", "err", err)
	}
	return tx.Commit() // expect: abortedtx
}
