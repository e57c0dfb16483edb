package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Snapshots struct{ pool *pgxpool.Pool }

func (s *Snapshots) Read(ctx context.Context, id int64, fn func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock_shared($1)", id); err != nil {
			return err
		}
		return fn(tx)
	})
}

// Compact locks and unlocks in one text, on one session.
func (s *Snapshots) Compact(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `
		SELECT pg_advisory_lock(8);
		DELETE FROM snapshots WHERE superseded;
		SELECT pg_advisory_unlock(8);`)
	return err
}
