package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Config struct{ Isolation string }

type S struct {
	pool *pgxpool.Pool
	cfg  Config
}

func (s *S) Run(ctx context.Context, fn func(pgx.Tx) error) error {
	lvl := pgx.ReadCommitted
	if s.cfg.Isolation != "" {
		lvl = pgx.TxIsoLevel(s.cfg.Isolation)
	}
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: lvl}, fn)
}

func (s *S) X(ctx context.Context) error {
	return s.Run(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM x")
		return err
	})
}

// Consistent reads two tables of one snapshot.
func (s *S) Consistent(ctx context.Context) (a, b int, err error) {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		return 0, 0, err
	}
	defer tx.Rollback(ctx)
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM a").Scan(&a); err != nil {
		return 0, 0, err
	}
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM b").Scan(&b); err != nil {
		return 0, 0, err
	}
	return a, b, tx.Commit(ctx)
}

func (s *S) Audit(ctx context.Context) (n int, err error) {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable, AccessMode: pgx.ReadOnly, DeferrableMode: pgx.Deferrable})
	if err != nil {
		return 0, err
	}
	defer tx.Rollback(ctx)
	err = tx.QueryRow(ctx, "SELECT count(*) FROM a").Scan(&n)
	return n, err
}
