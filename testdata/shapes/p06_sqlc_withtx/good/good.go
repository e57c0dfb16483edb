package good

import (
	"context"
	"database/sql"
)

type DBTX interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

type Queries struct{ db DBTX }

func New(db DBTX) *Queries { return &Queries{db: db} }

func (q *Queries) WithTx(tx *sql.Tx) *Queries { return &Queries{db: tx} }

func (q *Queries) Set(ctx context.Context) error {
	_, err := q.db.ExecContext(ctx, `UPDATE a SET b = 1`)
	return err
}

type Svc struct {
	db *sql.DB
	q  *Queries
}

func NewSvc(db *sql.DB) *Svc { return &Svc{db: db, q: New(db)} }

func (s *Svc) Run(ctx context.Context, atomic bool) error {
	q := s.q
	if atomic {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Commit()
		q = s.q.WithTx(tx)
	}
	return q.Set(ctx)
}

func (s *Svc) Two(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	q := New(tx)
	if err := q.Set(ctx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return s.q.Set(ctx)
}
