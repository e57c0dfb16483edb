package bad

import (
	"context"
	_ "embed"
	"github.com/jmoiron/sqlx"
)

//go:embed session.sql
var session string

type Reporter struct{ db *sqlx.DB }

func (r *Reporter) Totals(ctx context.Context) (out []int64, err error) {
	if _, err := r.db.ExecContext(ctx, session); err != nil { // expect: sessionset
		return nil, err
	}
	err = r.db.SelectContext(ctx, &out, "SELECT total FROM totals")
	return out, err
}
