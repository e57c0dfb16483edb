package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Tickets struct{ pool *pgxpool.Pool }

func (t *Tickets) status(ctx context.Context, id int64) (s string, err error) {
	err = t.pool.QueryRow(ctx, `SELECT status FROM tickets WHERE id = $1`, id).Scan(&s)
	return s, err
}

// Reopen may begin in two states.
func (t *Tickets) Reopen(ctx context.Context, id int64) error {
	s, err := t.status(ctx, id)
	if err != nil {
		return err
	}
	if s != "closed" && s != "rejected" {
		return errors.New("not closed")
	}
	_, err = t.pool.Exec(ctx, `UPDATE tickets SET status = 'reopened' WHERE id = $1`, id) // expect: lostupdate
	return err
}

func (t *Tickets) Cancel(ctx context.Context, id int64) error {
	s, err := t.status(ctx, id)
	if err != nil {
		return err
	}
	switch s {
	case "open", "waiting":
		_, err = t.pool.Exec(ctx, `UPDATE tickets SET status = 'cancelled' WHERE id = $1`, id) // expect: lostupdate
		return err
	case "cancelled":
		return nil
	}
	return errors.New("too late")
}
