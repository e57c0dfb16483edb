package good

import (
	"context"
	"database/sql"
	"sync"
)

// Sink keeps one connection for its locks only.
type Sink struct {
	db   *sql.DB
	mu   sync.Mutex
	conn *sql.Conn
}

func (s *Sink) advisoryConn(ctx context.Context) (*sql.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		conn, err := s.db.Conn(ctx)
		if err != nil {
			return nil, err
		}
		s.conn = conn
	}
	return s.conn, nil
}

func (s *Sink) AcquireLock(ctx context.Context, id uint32) (bool, error) {
	conn, err := s.advisoryConn(ctx)
	if err != nil {
		return false, err
	}
	var lock bool
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", id).Scan(&lock); err != nil {
		return false, err
	}
	return lock, nil
}

func (s *Sink) ReleaseLock(ctx context.Context, id uint32) (bool, error) {
	conn, err := s.advisoryConn(ctx)
	if err != nil {
		return false, err
	}
	var unlock bool
	if err := conn.QueryRowContext(ctx, "SELECT pg_advisory_unlock($1)", id).Scan(&unlock); err != nil {
		return false, err
	}
	return unlock, nil
}
