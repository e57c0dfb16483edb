// Package bad reads beside other things, and writes what it has collected.
package bad

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
)

type Stats struct{ pool *pgxpool.Pool }

func (s *Stats) Bump(ctx context.Context, id int64) error {
	var hits int64
	var name string
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		return s.pool.QueryRow(gctx, `SELECT hits FROM stats WHERE id = $1`, id).Scan(&hits)
	})
	g.Go(func() error {
		return s.pool.QueryRow(gctx, `SELECT name FROM sites WHERE id = $1`, id).Scan(&name)
	})
	if err := g.Wait(); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `UPDATE stats SET hits = $2, site = $3 WHERE id = $1`, id, hits+1, name) // expect: lostupdate
	return err
}

func (s *Stats) Merge(ctx context.Context, seen map[int64]int64) error {
	rows, err := s.pool.Query(ctx, `SELECT id, hits FROM stats`)
	if err != nil {
		return err
	}
	defer rows.Close()
	byID := map[int64]int64{}
	for rows.Next() {
		var id, hits int64
		if err := rows.Scan(&id, &hits); err != nil {
			return err
		}
		byID[id] = hits
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for id, hits := range byID {
		if _, err := s.pool.Exec(ctx, `UPDATE stats SET hits = $2 WHERE id = $1`, id, hits+seen[id]); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}
