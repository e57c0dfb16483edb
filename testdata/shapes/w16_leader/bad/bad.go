package bad

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Sender struct {
	pool *pgxpool.Pool
}

func (s *Sender) Run(ctx context.Context) error {
	t := time.NewTicker(time.Minute)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
		if err := s.once(ctx); err != nil {
			return err
		}
	}
}

func (s *Sender) once(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id FROM digests WHERE sent_at IS NULL ORDER BY id LIMIT 50 FOR UPDATE`) // expect: skiplocked
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE digests SET sent_at = now() WHERE id = ANY($1)`, ids)
		return err
	})
}
