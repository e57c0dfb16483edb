package bad

import (
	"context"
	"database/sql"
)

type Run struct {
	ID    int64
	State string
}

type Store struct{ db *sql.DB }

func (s *Store) oldest(ctx context.Context) (*Run, error) {
	r := &Run{}
	err := s.db.QueryRowContext(ctx, `SELECT id, state FROM runs WHERE state = 'queued' ORDER BY id LIMIT 1`).Scan(&r.ID, &r.State) // expect: skiplocked
	return r, err
}

func (s *Store) save(ctx context.Context, r *Run) error {
	_, err := s.db.ExecContext(ctx, `UPDATE runs SET state = $2 WHERE id = $1`, r.ID, r.State)
	return err
}

// Acquire gives the caller the oldest run.
func (s *Store) Acquire(ctx context.Context) (*Run, error) {
	r, err := s.oldest(ctx)
	if err != nil {
		return nil, err
	}
	r.State = "running"
	return r, s.save(ctx, r)
}
