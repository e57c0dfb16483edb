package bad

import (
	"context"
	"database/sql"
)

type Rota struct{ db *sql.DB }

func (r *Rota) Assign(ctx context.Context, shift, worker int64) error {
	if _, err := r.db.ExecContext(ctx, "LOCK TABLE shifts IN SHARE ROW EXCLUSIVE MODE"); err != nil { // expect: notxeffect
		return err
	}
	_, err := r.db.ExecContext(ctx, "INSERT INTO shifts (id, worker_id) VALUES ($1, $2)", shift, worker)
	return err
}
