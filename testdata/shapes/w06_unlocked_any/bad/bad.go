package bad

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Scheduler struct{ pool *pgxpool.Pool }

// Due gives the caller the timers that have come due.
func (s *Scheduler) Due(ctx context.Context, limit int) ([]int64, error) {
	rows, err := s.pool.Query(ctx, `SELECT id FROM timers WHERE fired = false AND fire_at <= now() ORDER BY fire_at LIMIT $1`, limit) // expect: skiplocked
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, err
	}
	_, err = s.pool.Exec(ctx, `UPDATE timers SET fired = true WHERE id = ANY($1)`, ids)
	return ids, err
}
