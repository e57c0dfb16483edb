package good

import (
	"context"
	"database/sql"
	"errors"
)

type Rota struct{ db *sql.DB }

func (r *Rota) Assign(ctx context.Context, shift, worker int64) (err error) {
	tx, err := r.db.Begin()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	for _, q := range []string{"SET LOCAL lock_timeout = '2s'", "LOCK TABLE shifts IN SHARE ROW EXCLUSIVE MODE"} {
		if _, err = tx.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	if _, err = tx.ExecContext(ctx, "INSERT INTO shifts (id, worker_id) VALUES ($1, $2)", shift, worker); err != nil {
		return err
	}
	return tx.Commit()
}

// Rotate runs as one text.
func (r *Rota) Rotate(ctx context.Context) error {
	_, err := r.db.ExecContext(ctx, `
		LOCK TABLE shifts IN EXCLUSIVE MODE;
		INSERT INTO shifts_old SELECT * FROM shifts;
		TRUNCATE shifts;`)
	return err
}
