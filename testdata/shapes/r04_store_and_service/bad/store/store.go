package store

import (
	"context"
	"database/sql"
)

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

// Enter returns what the driver answers.
func (s *Seats) Enter(ctx context.Context, seat int64) (sql.Result, error) {
	return s.db.ExecContext(ctx, `UPDATE seats SET status = 'used' WHERE id = $1 AND status = 'booked'`, seat)
}

// Exec is for everybody.
func (s *Seats) Exec(ctx context.Context, query string, args ...any) error {
	_, err := s.db.ExecContext(ctx, query, args...)
	return err
}

// Hold has dropped it already.
func (s *Seats) Hold(ctx context.Context, seat int64, version int) error {
	_, err := s.db.ExecContext(ctx, `UPDATE seats SET status = 'held', version = version + 1 WHERE id = $1 AND version = $2`, seat, version) // expect: rowsaffected
	return err
}
