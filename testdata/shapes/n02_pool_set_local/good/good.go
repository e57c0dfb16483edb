package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Search struct{ pool *pgxpool.Pool }

func (s *Search) Near(ctx context.Context, vec string) (ids []int64, err error) {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "SET LOCAL hnsw.ef_search = 200"); err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, "SELECT id FROM items ORDER BY embedding <=> $1 LIMIT 20", vec)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// Both sends the setting in one batch with the query, which is one transaction.
func (s *Search) Both(ctx context.Context, vec string) (id int64, err error) {
	b := &pgx.Batch{}
	b.Queue("SET LOCAL hnsw.ef_search = 200")
	b.Queue("SELECT id FROM items ORDER BY embedding <=> $1 LIMIT 1", vec)
	res := s.pool.SendBatch(ctx, b)
	defer res.Close()
	if _, err := res.Exec(); err != nil {
		return 0, err
	}
	return id, res.QueryRow().Scan(&id)
}
