package good

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Take says again that nobody has it.
func Take(ctx context.Context, pool *pgxpool.Pool, id, courier int64) error {
	var has *int64
	if err := pool.QueryRow(ctx, `SELECT courier_id FROM deliveries WHERE id = $1`, id).Scan(&has); err != nil {
		return err
	}
	if has != nil {
		return errors.New("taken")
	}
	tag, err := pool.Exec(ctx, `UPDATE deliveries SET courier_id = $2 WHERE id = $1 AND courier_id IS NULL`, id, courier)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errors.New("taken")
	}
	return nil
}

// Assign locks.
func Assign(ctx context.Context, pool *pgxpool.Pool, id int64, who string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var assignee *string
		if err := tx.QueryRow(ctx, `SELECT assignee FROM cases WHERE id = $1 FOR UPDATE`, id).Scan(&assignee); err != nil {
			return err
		}
		if assignee != nil {
			return errors.New("somebody works on it")
		}
		_, err := tx.Exec(ctx, `UPDATE cases SET assignee = $1 WHERE id = $2`, who, id)
		return err
	})
}

// Reassign takes what somebody has: the last one wins, as meant.
func Reassign(ctx context.Context, pool *pgxpool.Pool, id int64, who string) error {
	var assignee *string
	if err := pool.QueryRow(ctx, `SELECT assignee FROM cases WHERE id = $1`, id).Scan(&assignee); err != nil {
		return err
	}
	if assignee == nil {
		return errors.New("nobody works on it")
	}
	_, err := pool.Exec(ctx, `UPDATE cases SET assignee = $1 WHERE id = $2`, who, id)
	return err
}

// Icon fills in what is missing, the same for everybody.
func Icon(ctx context.Context, pool *pgxpool.Pool, id int64, url string) error {
	var icon *string
	if err := pool.QueryRow(ctx, `SELECT icon FROM cases WHERE id = $1`, id).Scan(&icon); err != nil {
		return err
	}
	if icon != nil {
		return nil
	}
	_, err := pool.Exec(ctx, `UPDATE cases SET icon = $1 WHERE id = $2`, url, id)
	return err
}
