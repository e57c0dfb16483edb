package store

import (
	"context"
	"database/sql"
	"errors"
)

var ErrTaken = errors.New("taken")

type Seats struct{ db *sql.DB }

func New(db *sql.DB) *Seats { return &Seats{db: db} }

// Book returns how many seats are booked: one or none.
func (s *Seats) Book(ctx context.Context, seat int64, guest string) (int64, error) {
	res, err := s.db.ExecContext(ctx, `UPDATE seats SET status = 'booked', guest = $2 WHERE id = $1 AND status = 'free'`, seat, guest)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// ExecOne is for everybody, and looks itself.
func (s *Seats) ExecOne(ctx context.Context, query string, args ...any) error {
	res, err := s.db.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n != 1 {
		err = ErrTaken
	}
	return err
}

// Open makes a seat and opens it: nobody else has seen it yet.
func (s *Seats) Open(ctx context.Context, seat int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO seats (id, status) VALUES ($1, 'new')`, seat); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE seats SET status = 'free' WHERE id = $1 AND status = 'new'`, seat); err != nil {
		return err
	}
	return tx.Commit()
}
