package good

import (
	"context"
	"database/sql"
	"errors"
)

type Job struct {
	ID   int64
	Kind string
}

type Jobs interface {
	Next(ctx context.Context, tx *sql.Tx) (*Job, error)
	Start(ctx context.Context, tx *sql.Tx, id int64) error
}

type jobs struct{}

func (jobs) Next(ctx context.Context, tx *sql.Tx) (*Job, error) {
	var j Job
	row := tx.QueryRowContext(ctx, "SELECT id, kind FROM background_jobs WHERE status = 'ready' ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED")
	if err := row.Scan(&j.ID, &j.Kind); err != nil {
		return nil, err
	}
	return &j, nil
}

func (jobs) Start(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, "UPDATE background_jobs SET status = 'running', started_at = now() WHERE id = $1", id)
	return err
}

type Service struct {
	db   *sql.DB
	jobs Jobs
}

func NewService(db *sql.DB) *Service { return &Service{db: db, jobs: jobs{}} }

func (s *Service) Tick(ctx context.Context) (*Job, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	j, err := s.jobs.Next(ctx, tx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := s.jobs.Start(ctx, tx, j.ID); err != nil {
		return nil, err
	}
	return j, tx.Commit()
}
