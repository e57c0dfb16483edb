package bad

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

func isLocked(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "55P03"
}

// Wait gives the caller the next ticket, when nobody else is at it.
func Wait(ctx context.Context, pool *pgxpool.Pool) (id int64, err error) {
	for {
		err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			err := tx.QueryRow(ctx, `SELECT id FROM tickets WHERE handled_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE NOWAIT`).Scan(&id) // expect: skiplocked
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `UPDATE tickets SET handled_at = now() WHERE id = $1`, id)
			return err
		})
		if !isLocked(err) {
			return id, err
		}
		time.Sleep(50 * time.Millisecond)
	}
}
