package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func isFree(ctx context.Context, tx pgx.Tx, room int64, day string) (bool, error) {
	var busy bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM bookings WHERE room_id = $1 AND day = $2)`, room, day).Scan(&busy)
	return !busy, err
}

// Book asks a helper that turns the answer round.
func Book(ctx context.Context, pool *pgxpool.Pool, room int64, day string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		free, err := isFree(ctx, tx, room, day)
		if err != nil {
			return err
		}
		if !free {
			return errors.New("taken")
		}
		_, err = tx.Exec(ctx, `INSERT INTO bookings (room_id, day) VALUES ($1, $2)`, room, day) // expect: lostupdate
		return err
	})
}

type Members struct{ pool *pgxpool.Pool }

func (m *Members) unknown(ctx context.Context, email string) (bool, error) {
	var n int
	if err := m.pool.QueryRow(ctx, `SELECT count(*) FROM members WHERE email = $1`, email).Scan(&n); err != nil {
		return false, err
	}
	return n == 0, nil
}

func (m *Members) Add(ctx context.Context, email string) error {
	ok, err := m.unknown(ctx, email)
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("there already")
	}
	_, err = m.pool.Exec(ctx, `INSERT INTO members (email) VALUES ($1)`, email) // expect: lostupdate
	return err
}

func (m *Members) known(ctx context.Context, email string) (bool, error) {
	var n int
	err := m.pool.QueryRow(ctx, `SELECT count(*) FROM members WHERE email = $1`, email).Scan(&n)
	return n > 0, err
}

func (m *Members) Ensure(ctx context.Context, email string) error {
	if known, err := m.known(ctx, email); err != nil || known {
		return err
	}
	_, err := m.pool.Exec(ctx, `INSERT INTO members (email) VALUES ($1)`, email) // expect: lostupdate
	return err
}
