package good

import (
	"context"
	"database/sql"
	"errors"
	sq "github.com/Masterminds/squirrel"
)

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

type Quotas struct{ db *sql.DB }

func (q *Quotas) Use(ctx context.Context, org int64, n int) error {
	tx, err := q.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var left int
	err = psql.Select("left_over").From("quotas").Where(sq.Eq{"org_id": org}).Suffix("FOR UPDATE").
		RunWith(tx).QueryRowContext(ctx).Scan(&left)
	if err != nil {
		return err
	}
	if left < n {
		return errors.New("quota")
	}
	_, err = psql.Update("quotas").Set("left_over", left-n).Where(sq.Eq{"org_id": org}).RunWith(tx).ExecContext(ctx)
	if err != nil {
		return err
	}
	return tx.Commit()
}
