package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Sync struct{ pool *pgxpool.Pool }

func (s *Sync) Apply(ctx context.Context, names []string) (bad []string, err error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback(ctx)
	for _, n := range names {
		sp, err := tx.Begin(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO names (n) VALUES ($1)", n); err != nil {
			bad = append(bad, n)
			if _, err := sp.Exec(ctx, "INSERT INTO rejects (n) VALUES ($1)", n); err != nil { // missed: abortedtx
				return nil, err
			}
		}
		if err := sp.Commit(ctx); err != nil {
			return nil, err
		}
	}
	return bad, tx.Commit(ctx) // also: abortedtx
}
