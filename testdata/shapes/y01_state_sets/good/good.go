package good

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Tickets struct{ pool *pgxpool.Pool }

// Reopen says the states again.
func (t *Tickets) Reopen(ctx context.Context, id int64) error {
	var s string
	if err := t.pool.QueryRow(ctx, `SELECT status FROM tickets WHERE id = $1`, id).Scan(&s); err != nil {
		return err
	}
	if s != "closed" && s != "rejected" {
		return errors.New("not closed")
	}
	tag, err := t.pool.Exec(ctx, `UPDATE tickets SET status = 'reopened' WHERE id = $1 AND status IN ('closed', 'rejected')`, id)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errors.New("not closed")
	}
	return nil
}

// Cancel locks the row.
func (t *Tickets) Cancel(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		var s string
		if err := tx.QueryRow(ctx, `SELECT status FROM tickets WHERE id = $1 FOR UPDATE`, id).Scan(&s); err != nil {
			return err
		}
		switch s {
		case "open", "waiting":
			_, err := tx.Exec(ctx, `UPDATE tickets SET status = 'cancelled' WHERE id = $1`, id)
			return err
		}
		return errors.New("too late")
	})
}

// Comment writes another column than it tests.
func (t *Tickets) Comment(ctx context.Context, id int64, text string) error {
	var s string
	if err := t.pool.QueryRow(ctx, `SELECT status FROM tickets WHERE id = $1`, id).Scan(&s); err != nil {
		return err
	}
	if s != "open" && s != "waiting" {
		return errors.New("closed")
	}
	_, err := t.pool.Exec(ctx, `UPDATE tickets SET remark = $2 WHERE id = $1`, id, text)
	return err
}

// Remind may do it for a kind or for a state, and only the kind is of the row.
func (t *Tickets) Remind(ctx context.Context, id int64, force bool) error {
	var s string
	if err := t.pool.QueryRow(ctx, `SELECT status FROM tickets WHERE id = $1`, id).Scan(&s); err != nil {
		return err
	}
	if s == "waiting" || force {
		_, err := t.pool.Exec(ctx, `UPDATE tickets SET reminders = reminders + 1 WHERE id = $1`, id)
		return err
	}
	return nil
}
