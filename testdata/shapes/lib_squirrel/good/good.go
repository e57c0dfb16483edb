// Package good hands builders from function to function, in a transaction.
package good

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"
)

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

type Store struct{ db *sql.DB }

func quotaOf(org int64) sq.SelectBuilder {
	return psql.Select("left_over").From("quotas").Where(sq.Eq{"org_id": org})
}

func locked(q sq.SelectBuilder) sq.SelectBuilder { return q.Suffix("FOR UPDATE") }

func scan(ctx context.Context, db sq.BaseRunner, q sq.SelectBuilder) (n int, err error) {
	err = q.RunWith(db).QueryRowContext(ctx).Scan(&n)
	return n, err
}

// only narrows whatever it is given, before it runs it.
func only(ctx context.Context, db sq.BaseRunner, q sq.UpdateBuilder, org int64) error {
	_, err := q.Where(sq.Eq{"org_id": org}).RunWith(db).ExecContext(ctx)
	return err
}

func (s *Store) Give(ctx context.Context, org int64, n int) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	left, err := scan(ctx, tx, locked(quotaOf(org)))
	if err != nil {
		return err
	}
	if err := only(ctx, tx, psql.Update("quotas").Set("left_over", left+n), org); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *Store) Raise(ctx context.Context, org int64, n int) error {
	return only(ctx, s.db, psql.Update("quotas").Set("left_over", sq.Expr("left_over + ?", n)), org)
}

// One of two ways takes the lock: nothing is known.
func (s *Store) Peek(ctx context.Context, org int64, lock bool) (int, error) {
	q := quotaOf(org)
	if lock {
		q = locked(q)
	}
	return scan(ctx, s.db, q)
}
