// Package good uses the features of squirrel as they are right.
package good

import (
	"context"
	"database/sql"
	"errors"

	sq "github.com/Masterminds/squirrel"
	_ "github.com/lib/pq"
)

// Item is a row of items.
type Item struct {
	ID, N int64
	State string
}

var errGone = errors.New("gone")

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

// Store keeps items.
type Store struct {
	db *sql.DB
	sb sq.StatementBuilderType
}

// Open opens a store.
func Open(dsn string) (*Store, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, err
	}
	return &Store{db, psql.RunWith(db)}, nil
}

func (s *Store) inTx(ctx context.Context, fn func(tx *sql.Tx, qb sq.StatementBuilderType) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx, psql.RunWith(tx)); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Locks of all forms, in a transaction.
func (s *Store) Locks(ctx context.Context, id int64) error {
	return s.inTx(ctx, func(tx *sql.Tx, qb sq.StatementBuilderType) error {
		var it Item
		if err := qb.Select().Columns("id").Column("n").From("items").Where(sq.Eq{"id": id}).SuffixExpr(sq.Expr("FOR UPDATE")).ScanContext(ctx, &it.ID, &it.N); err != nil {
			return err
		}
		if _, err := qb.Update("items").Set("n", it.N-1).Where(sq.Eq{"id": id}).ExecContext(ctx); err != nil {
			return err
		}
		_, err := sq.ExecContextWith(ctx, tx, psql.Insert("tags").SetMap(sq.Eq{"item_id": id}))
		return err
	})
}

// The statement runs on the transaction that RunWith gives it, whatever ran it before.
func (s *Store) RunWith(ctx context.Context, id int64) error {
	return s.inTx(ctx, func(tx *sql.Tx, _ sq.StatementBuilderType) error {
		var n int64
		if err := s.sb.Select("n").From("items").Where("id = ?", id).Suffix("FOR UPDATE").RunWith(tx).QueryRowContext(ctx).Scan(&n); err != nil {
			return err
		}
		_, err := s.sb.Update("items").Set("n", n-1).Where("id = ?", id).RunWith(tx).ExecContext(ctx)
		return err
	})
}

// The lock is in one statement with the write.
func (s *Store) One(ctx context.Context) (id int64, err error) {
	next := sq.Select("id").From("items").Where(sq.Eq{"state": "new"}).Limit(1).Suffix("FOR UPDATE SKIP LOCKED")
	err = s.sb.Update("items").Set("state", "taken").Where(next.Prefix("id = (").Suffix(")")).Suffix("RETURNING id").ScanContext(ctx, &id)
	return id, err
}

// The value is computed by the database.
func (s *Store) Relative(ctx context.Context, id int64) error {
	var n int64
	if err := s.sb.Select("id").Column("n").From("items").Where(sq.Eq{"id": id}).ScanContext(ctx, new(int64), &n); err != nil {
		return err
	}
	_, err := s.sb.Update("items").Set("n", sq.Expr("n - ?", 1)).SetMap(map[string]any{"state": "seen"}).Where(sq.Eq{"id": id}).ExecContext(ctx)
	return err
}

// The columns are others than their order in the text may say.
func (s *Store) Columns(ctx context.Context, id int64) error {
	var state string
	var n int64
	if err := s.sb.Select("state").Columns("n").From("items").Where(sq.Eq{"id": id}).ScanContext(ctx, &state, &n); err != nil {
		return err
	}
	_, err := s.sb.Insert("log").SetMap(sq.Eq{"n": n, "state": state}).ExecContext(ctx)
	if err != nil {
		return err
	}
	_, err = s.sb.Update("items").Set("note", state).Where(sq.Eq{"id": id}).ExecContext(ctx)
	return err
}

// The condition is what was read.
func (s *Store) Versioned(ctx context.Context, id int64) error {
	var n int64
	if err := s.sb.Select("n").From("items").Where(sq.Eq{"id": id}).ScanContext(ctx, &n); err != nil {
		return err
	}
	res, err := s.sb.Update("items").Set("n", n+1).Where(sq.And{sq.Eq{"id": id}, sq.Expr("n = ?", n)}).ExecContext(ctx)
	if err != nil {
		return err
	}
	if rows, err := res.RowsAffected(); err != nil || rows == 0 {
		return errors.Join(err, errGone)
	}
	return nil
}

// A second one is no harm.
func (s *Store) Upsert(ctx context.Context, id int64) error {
	var n int
	if err := s.sb.Select("count(*)").From("tags").Where(sq.Eq{"item_id": id}).ScanContext(ctx, &n); err != nil || n > 0 {
		return err
	}
	_, err := s.sb.Insert("tags").SetMap(sq.Eq{"item_id": id}).SuffixExpr(sq.Expr("ON CONFLICT (item_id) DO NOTHING")).ExecContext(ctx)
	return err
}
