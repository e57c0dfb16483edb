package good

import (
	"context"
	"github.com/jmoiron/sqlx"
	"net/http"
	"time"
)

type Session struct {
	db *sqlx.DB
	tx *sqlx.Tx
}

func (s *Session) Begin(ctx context.Context) error {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	s.tx = tx
	return nil
}

func (s *Session) Commit() error {
	err := s.tx.Commit()
	s.tx = nil
	return err
}

func (s *Session) Rollback() {
	if s.tx != nil {
		s.tx.Rollback()
		s.tx = nil
	}
}

func (s *Session) exec(ctx context.Context, q string) error {
	if s.tx != nil {
		_, err := s.tx.ExecContext(ctx, q)
		return err
	}
	_, err := s.db.ExecContext(ctx, q)
	return err
}

func Work(ctx context.Context, s *Session) error {
	if err := s.Begin(ctx); err != nil {
		return err
	}
	defer s.Rollback()
	if err := s.exec(ctx, `UPDATE a SET b = 1`); err != nil {
		return err
	}
	if err := s.Commit(); err != nil {
		return err
	}
	_, err := http.Get("https://x")
	if err != nil {
		return err
	}
	return s.exec(ctx, `UPDATE a SET b = 2`)
}

func Inline(ctx context.Context, db *sqlx.DB) error {
	s := &Session{db: db}
	if err := s.Begin(ctx); err != nil {
		return err
	}
	if err := s.exec(ctx, `UPDATE a SET b = 1`); err != nil {
		s.Rollback()
		time.Sleep(time.Second)
		return err
	}
	if err := s.Commit(); err != nil {
		return err
	}
	time.Sleep(time.Second)
	_, err := db.ExecContext(ctx, `UPDATE a SET b = 3`)
	return err
}
