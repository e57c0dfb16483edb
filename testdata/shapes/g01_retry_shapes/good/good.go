package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type S struct{ pool *pgxpool.Pool }

var retryCodes = map[string]bool{"40001": true, "40P01": true}

func (s *S) work(ctx context.Context) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE a SET n = n + 1")
		return err
	})
}

func (s *S) A(ctx context.Context) (err error) {
	for i := 0; i < 3; i++ {
		err = s.work(ctx)
		var pe *pgconn.PgError
		if errors.As(err, &pe) && retryCodes[pe.Code] {
			continue
		}
		return err
	}
	return err
}
