package good

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Scheduler struct{ pool *pgxpool.Pool }

// Due gives the caller the timers that have come due.
func (s *Scheduler) Due(ctx context.Context, limit int) ([]int64, error) {
	rows, err := s.pool.Query(ctx, `SELECT id FROM timers WHERE fired = false AND fire_at <= now() ORDER BY fire_at LIMIT $1`, limit)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, err
	}
	// What another scheduler has fired meanwhile is not returned again.
	rows, err = s.pool.Query(ctx, `UPDATE timers SET fired = true WHERE id = ANY($1) AND fired = false RETURNING id`, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
