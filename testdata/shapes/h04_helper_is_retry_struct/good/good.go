package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Retrier struct{ codes map[string]struct{} }

func NewRetrier(codes ...string) *Retrier {
	r := &Retrier{codes: map[string]struct{}{}}
	for _, c := range codes {
		r.codes[c] = struct{}{}
	}
	return r
}

func (r *Retrier) Do(fn func() error) error {
	for {
		err := fn()
		var pe *pgconn.PgError
		if errors.As(err, &pe) {
			if _, ok := r.codes[pe.Code]; ok {
				continue
			}
		}
		return err
	}
}

type S struct {
	pool *pgxpool.Pool
	r    *Retrier
}

func New(pool *pgxpool.Pool) *S { return &S{pool, NewRetrier("40001", "40P01")} }

func (s *S) Inc(ctx context.Context) error {
	return s.r.Do(func() error {
		return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "UPDATE a SET n = n + 1")
			return err
		})
	})
}
