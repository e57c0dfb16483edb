package good

import (
	"context"
	"github.com/jmoiron/sqlx"
	"log/slog"
)

type Audit struct{ db *sqlx.DB }

func (a *Audit) Ban(ctx context.Context, id int64) error {
	tx, err := a.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE users SET banned = true WHERE id = $1", id); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if _, err := a.db.ExecContext(ctx, "INSERT INTO audit (what) VALUES ($1)", "ban"); err != nil {
		slog.Warn("audit is best effort", "err", err)
	}
	return nil
}

// Unban goes on in a new transaction.
func (a *Audit) Unban(ctx context.Context, id int64) error {
	tx, err := a.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO audit (what) VALUES ($1)", "unban")
	if err != nil {
		tx.Rollback()
		tx, err = a.db.BeginTxx(ctx, nil)
		if err != nil {
			return err
		}
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE users SET banned = false WHERE id = $1", id); err != nil {
		return err
	}
	return tx.Commit()
}
