package bad

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

func (s *Svc) Run(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	qtx := s.q.WithTx(tx)
	if err := qtx.Set(ctx); err != nil {
		return err
	}
	if err := s.q.Set(ctx); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}
