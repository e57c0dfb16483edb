package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type txKey struct{}

type Store struct{ pool *pgxpool.Pool }

func (s *Store) InTx(ctx context.Context, fn func(context.Context) error) error {
	if _, ok := ctx.Value(txKey{}).(pgx.Tx); ok {
		return fn(ctx)
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		return fn(context.WithValue(ctx, txKey{}, tx))
	})
}

type q interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

func (s *Store) db(ctx context.Context) q {
	if tx, ok := ctx.Value(txKey{}).(pgx.Tx); ok {
		return tx
	}
	return s.pool
}

func (s *Store) Save(ctx context.Context) error {
	_, err := s.db(ctx).Exec(ctx, `UPDATE a SET b = 1`)
	return err
}

func (s *Store) Audit(ctx context.Context) error {
	_, err := s.db(ctx).Exec(ctx, `INSERT INTO audit DEFAULT VALUES`)
	return err
}

func (s *Store) Run(ctx context.Context) error {
	return s.InTx(ctx, func(ctx context.Context) error {
		if err := s.InTx(ctx, s.Save); err != nil {
			return err
		}
		return s.InTx(ctx, func(ctx context.Context) error {
			if err := s.Save(ctx); err != nil {
				return err
			}
			return s.Audit(ctx)
		})
	})
}
