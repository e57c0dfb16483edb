package bad

import (
	"context"
	"database/sql"
	"errors"
)

type Quota struct{ db *sql.DB }

func (q *Quota) Add(ctx context.Context, tenant int64, ids []int64) error {
	for _, id := range ids {
		if err := q.add(ctx, tenant, id); err != nil {
			return err
		}
	}
	return nil
}

func (q *Quota) add(ctx context.Context, tenant, id int64) error {
	tx, err := q.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM members WHERE tenant = $1", tenant).Scan(&n); err != nil {
		return err
	}
	if n >= 10 {
		return errors.New("quota")
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO members (tenant, id) VALUES ($1, $2)", tenant, id); err != nil {
		return err
	}
	return tx.Commit()
}
