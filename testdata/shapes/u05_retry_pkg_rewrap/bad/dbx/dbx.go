package dbx

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

func WithRetry(ctx context.Context, pool *pgxpool.Pool, fn func(pgx.Tx) error) error {
	for n := 1; ; n++ {
		err := pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, fn)
		var pe *pgconn.PgError
		if errors.As(err, &pe) && pe.Code == "40001" && n < 10 {
			continue
		}
		return err
	}
}
