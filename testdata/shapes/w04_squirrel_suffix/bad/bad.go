package bad

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"
)

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

type Store struct{ db *sql.DB }

func (s *Store) ClaimPayouts(ctx context.Context, n uint64) (ids []int64, err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	query, args, err := psql.Select("id").From("payout_jobs").
		Where("status = 'pending'").
		OrderBy("created_at").
		Limit(n).
		Suffix("FOR UPDATE").
		ToSql()
	if err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, query, args...) // expect: skiplocked
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	update, args, err := psql.Update("payout_jobs").Set("status", "processing").Where(sq.Eq{"id": ids}).ToSql()
	if err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, update, args...); err != nil {
		return nil, err
	}
	return ids, tx.Commit()
}
