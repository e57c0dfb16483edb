package good

import (
	"context"
	"database/sql"
)

type Jobs struct{ db *sql.DB }

func (j *Jobs) Nightly(ctx context.Context) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	locked, err := tryLock(ctx, tx, 20240)
	if err != nil || !locked {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM carts WHERE touched_at < now() - interval '30 days'"); err != nil {
		return err
	}
	return tx.Commit()
}

func tryLock(ctx context.Context, tx *sql.Tx, key int64) (ok bool, err error) {
	return ok, tx.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock($1)", key).Scan(&ok)
}

type result struct{ Locked bool }

func (j *Jobs) Hourly(ctx context.Context) (*result, error) {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	res := &result{}
	if err := tx.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock(20241)").Scan(&res.Locked); err != nil {
		return nil, err
	}
	if !res.Locked {
		return res, nil
	}
	if _, err := tx.ExecContext(ctx, "UPDATE counters SET n = 0"); err != nil {
		return nil, err
	}
	return res, tx.Commit()
}
