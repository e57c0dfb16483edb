package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type ctxKey struct{}

type S struct{ pool *pgxpool.Pool }

// Retry runs the handler's transaction until it has no conflict.
func Retry(next func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for {
			err := next(ctx)
			var pe *pgconn.PgError
			if errors.As(err, &pe) && pe.Code == "40001" {
				continue
			}
			return err
		}
	}
}

func (s *S) work(ctx context.Context) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE a SET n = n + 1")
		return err
	})
}

func Start(ctx context.Context, s *S) error {
	h := Retry(s.work)
	return h(ctx)
}
