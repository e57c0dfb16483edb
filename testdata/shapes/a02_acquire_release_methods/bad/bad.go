package bad

import (
	"context"
	"database/sql"
)

type Sink struct{ db *sql.DB }

func (s *Sink) AcquireLock(ctx context.Context, id uint32) (bool, error) {
	var lock bool
	if err := s.db.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", id).Scan(&lock); err != nil { // expect: advisorypool
		return false, err
	}
	return lock, nil
}

func (s *Sink) ReleaseLock(ctx context.Context, id uint32) (bool, error) {
	var unlock bool
	if err := s.db.QueryRowContext(ctx, "SELECT pg_advisory_unlock($1)", id).Scan(&unlock); err != nil { // expect: advisorypool
		return false, err
	}
	return unlock, nil
}

func (s *Sink) Poll(ctx context.Context, fan func() error) error {
	ok, err := s.AcquireLock(ctx, 101)
	if err != nil || !ok {
		return err
	}
	defer s.ReleaseLock(ctx, 101)
	return fan()
}
