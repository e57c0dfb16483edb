// Package good uses the features of go-sqlbuilder as they are right.
package good

import (
	"context"
	"database/sql"
	"errors"

	"github.com/huandu/go-sqlbuilder"
	_ "github.com/lib/pq"
)

var errGone = errors.New("gone")

// Store keeps items.
type Store struct{ db *sql.DB }

// Open opens a store.
func Open(dsn string) (*Store, error) {
	db, err := sql.Open("postgres", dsn)
	return &Store{db}, err
}

// Locked reads and writes in a transaction.
func (s *Store) Locked(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("n").From("items").Where(sb.Equal("id", id), sb.Or(sb.Equal("state", "new"), sb.IsNull("state"))).ForUpdate()
	query, args := sb.Build()
	var n int64
	if err := tx.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		return err
	}
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("items").Set(ub.Assign("n", n-1)).Where(ub.Equal("id", id))
	query, args = ub.Build()
	if _, err := tx.ExecContext(ctx, query, args...); err != nil {
		return err
	}
	return tx.Commit()
}

// Relative has its value computed by the database, and looks at the count.
func (s *Store) Relative(ctx context.Context, id, n int64) error {
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("items").Set(ub.Sub("n", n)).Where(ub.Equal("id", id), ub.GreaterEqualThan("n", n))
	query, args := ub.Build()
	res, err := s.db.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	if rows, err := res.RowsAffected(); err != nil || rows == 0 {
		return errors.Join(err, errGone)
	}
	return nil
}

// Optional locks where its caller asks for it.
func (s *Store) Optional(ctx context.Context, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, id int64, lock bool) (n int64, err error) {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("n").From("items").Where(sb.Equal("id", id))
	if lock {
		sb.ForUpdate()
	}
	query, args := sb.Build()
	err = q.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

// Look reads without a lock.
func (s *Store) Look(ctx context.Context, id int64) (int64, error) {
	return s.Optional(ctx, s.db, id, false)
}
