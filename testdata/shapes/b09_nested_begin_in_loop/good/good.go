package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Sync struct{ pool *pgxpool.Pool }

func (s *Sync) Apply(ctx context.Context, names []string) (bad []string, err error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback(context.WithoutCancel(ctx)))
		}
	}()
	for _, n := range names {
		err := pgx.BeginFunc(ctx, tx, func(sp pgx.Tx) error {
			_, err := sp.Exec(ctx, "INSERT INTO names (n) VALUES ($1)", n)
			return err
		})
		if err != nil {
			bad = append(bad, n)
		}
	}
	return bad, tx.Commit(ctx)
}

func (s *Sync) Batch(ctx context.Context, tx pgx.Tx, names []string) error {
	b := &pgx.Batch{}
	for _, n := range names {
		b.Queue("INSERT INTO names (n) VALUES ($1) ON CONFLICT DO NOTHING", n)
	}
	return tx.SendBatch(ctx, b).Close()
}
