package bad

import (
	"context"
	"database/sql"
	"errors"
	sq "github.com/Masterminds/squirrel"
)

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

type Quotas struct{ db *sql.DB }

func (q *Quotas) Use(ctx context.Context, org int64, n int) error {
	var left int
	err := psql.Select("left_over").From("quotas").Where(sq.Eq{"org_id": org}).Suffix("FOR UPDATE"). // expect: lockoutsidetx
														RunWith(q.db).QueryRowContext(ctx).Scan(&left)
	if err != nil {
		return err
	}
	if left < n {
		return errors.New("quota")
	}
	_, err = psql.Update("quotas").Set("left_over", left-n).Where(sq.Eq{"org_id": org}).RunWith(q.db).ExecContext(ctx) // also: lostupdate
	return err
}
