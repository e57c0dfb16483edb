package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Search struct{ pool *pgxpool.Pool }

func (s *Search) Near(ctx context.Context, vec string) ([]int64, error) {
	if _, err := s.pool.Exec(ctx, "SET LOCAL hnsw.ef_search = 200"); err != nil { // expect: notxeffect
		return nil, err
	}
	rows, err := s.pool.Query(ctx, "SELECT id FROM items ORDER BY embedding <=> $1 LIMIT 20", vec)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
