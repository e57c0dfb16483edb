package good

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

// Book locks the room first.
func Book(ctx context.Context, pool *pgxpool.Pool, room int64, day string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT FROM rooms WHERE id = $1 FOR UPDATE`, room); err != nil {
			return err
		}
		free, err := isFree(ctx, tx, room, day)
		if err != nil {
			return err
		}
		if !free {
			return errors.New("taken")
		}
		_, err = tx.Exec(ctx, `INSERT INTO bookings (room_id, day) VALUES ($1, $2)`, room, day)
		return err
	})
}

type Members struct{ pool *pgxpool.Pool }

func (m *Members) begun(ctx context.Context, group int64) (bool, error) {
	var n int
	err := m.pool.QueryRow(ctx, `SELECT count(*) FROM members WHERE group_id = $1`, group).Scan(&n)
	return n > 0, err
}

// Add needs a group that has members: the first comes another way.
func (m *Members) Add(ctx context.Context, group int64, email string) error {
	ok, err := m.begun(ctx, group)
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("nobody is there")
	}
	_, err = m.pool.Exec(ctx, `INSERT INTO members (group_id, email) VALUES ($1, $2)`, group, email)
	return err
}

func (m *Members) empty(ctx context.Context, group int64) (bool, error) {
	begun, err := m.begun(ctx, group)
	return !begun, err
}

// Second needs one, too, and asks the other way round.
func (m *Members) Second(ctx context.Context, group int64, email string) error {
	empty, err := m.empty(ctx, group)
	if err != nil || empty {
		return err
	}
	_, err = m.pool.Exec(ctx, `INSERT INTO members (group_id, email) VALUES ($1, $2)`, group, email)
	return err
}
