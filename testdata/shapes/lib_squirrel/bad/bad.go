// Package bad hands builders from function to function.
package bad

import (
	"context"
	"database/sql"
	"errors"

	sq "github.com/Masterminds/squirrel"
)

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

type Store struct{ db *sql.DB }

// quotaOf makes a builder.
func quotaOf(org int64) sq.SelectBuilder {
	return psql.Select("left_over").From("quotas").Where(sq.Eq{"org_id": org})
}

// locked makes it a locking one.
func locked(q sq.SelectBuilder) sq.SelectBuilder { return q.Suffix("FOR UPDATE") }

// scan runs one.
func scan(ctx context.Context, db sq.BaseRunner, q sq.SelectBuilder) (n int, err error) {
	err = q.RunWith(db).QueryRowContext(ctx).Scan(&n)
	return n, err
}

func set(ctx context.Context, db sq.BaseRunner, q sq.UpdateBuilder) error {
	_, err := q.RunWith(db).ExecContext(ctx)
	return err
}

func quotaTo(org int64, left int) sq.UpdateBuilder {
	return psql.Update("quotas").Set("left_over", left).Where(sq.Eq{"org_id": org})
}

func (s *Store) Use(ctx context.Context, org int64, n int) error {
	left, err := scan(ctx, s.db, locked(quotaOf(org))) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	if left < n {
		return errors.New("quota")
	}
	return set(ctx, s.db, quotaTo(org, left-n)) // also: lostupdate
}

func (s *Store) Give(ctx context.Context, org int64, n int) error {
	left, err := scan(ctx, s.db, quotaOf(org))
	if err != nil {
		return err
	}
	return set(ctx, s.db, quotaTo(org, left+n)) // expect: lostupdate
}

func (s *Store) Rename(ctx context.Context, org int64, name string, version int) error {
	return set(ctx, s.db, psql.Update("orgs").Set("name", name).Set("version", version+1).Where(sq.Eq{"id": org, "version": version})) // expect: rowsaffected
}
