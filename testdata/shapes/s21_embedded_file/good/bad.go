package good

import (
	"context"
	_ "embed"
	"github.com/jmoiron/sqlx"
)

//go:embed session.sql
var session string

type Reporter struct{ db *sqlx.DB }

func (r *Reporter) Totals(ctx context.Context) (out []int64, err error) {
	tx, err := r.db.BeginTxx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, session); err != nil {
		return nil, err
	}
	err = tx.SelectContext(ctx, &out, "SELECT total FROM totals")
	return out, err
}
