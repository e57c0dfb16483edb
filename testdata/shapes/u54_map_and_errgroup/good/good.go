// Package good adds up what it has collected, in SQL.
package good

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Stats struct{ pool *pgxpool.Pool }

func (s *Stats) Merge(ctx context.Context, seen map[int64]int64) error {
	rows, err := s.pool.Query(ctx, `SELECT id, hits FROM stats`)
	if err != nil {
		return err
	}
	defer rows.Close()
	known := map[int64]bool{}
	for rows.Next() {
		var id, hits int64
		if err := rows.Scan(&id, &hits); err != nil {
			return err
		}
		known[id] = hits > 0
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for id, n := range seen {
		if !known[id] {
			continue
		}
		if _, err := s.pool.Exec(ctx, `UPDATE stats SET hits = hits + $2 WHERE id = $1`, id, n); err != nil {
			return err
		}
	}
	return nil
}
