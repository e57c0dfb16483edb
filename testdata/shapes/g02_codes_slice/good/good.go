package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"slices"
)

type S struct{ pool *pgxpool.Pool }

func (s *S) work(ctx context.Context) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE a SET n = n + 1")
		return err
	})
}

var codes = []string{"40001", "40P01"}

func again(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && slices.Contains(codes, pe.Code)
}

func (s *S) B(ctx context.Context) error {
	err := s.work(ctx)
	for again(err) {
		err = s.work(ctx)
	}
	return err
}
