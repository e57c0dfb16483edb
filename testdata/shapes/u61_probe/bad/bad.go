// Package bad gives rows to functions that make the next value of the last one.
package bad

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Site struct {
	ID    int64         `db:"id"`
	Fails int           `db:"fails"`
	Wait  time.Duration `db:"wait"`
}

type Monitor struct{ pool *pgxpool.Pool }

func backoff(s Site) time.Duration {
	return min(2*s.Wait, time.Hour)
}

func (m *Monitor) Failed(ctx context.Context, id int64) error {
	rows, err := m.pool.Query(ctx, `SELECT id, fails, wait FROM sites WHERE id = $1`, id)
	if err != nil {
		return err
	}
	s, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Site])
	if err != nil {
		return err
	}
	_, err = m.pool.Exec(ctx, `UPDATE sites SET wait = $2 WHERE id = $1`, id, backoff(s)) // expect: lostupdate
	return err
}
