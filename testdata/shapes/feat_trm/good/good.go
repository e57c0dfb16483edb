// Package good uses the features of go-transaction-manager as they are right.
package good

import (
	"context"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	trmcontext "github.com/avito-tech/go-transaction-manager/trm/v2/context"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/avito-tech/go-transaction-manager/trm/v2/settings"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Repo keeps items.
type Repo struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

// Lock locks a row.
func (r *Repo) Lock(ctx context.Context, id int64) (n int64, err error) {
	err = r.getter.DefaultTrOrDB(ctx, r.pool).QueryRow(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n)
	return n, err
}

// Set writes one.
func (r *Repo) Set(ctx context.Context, id, n int64) error {
	_, err := r.getter.DefaultTrOrDB(ctx, r.pool).Exec(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n)
	return err
}

// Service changes items.
type Service struct {
	repo *Repo
	m    trm.Manager
}

// New makes a service over a pool.
func New(pool *pgxpool.Pool) *Service {
	return &Service{&Repo{pool, trmpgx.DefaultCtxGetter}, manager.Must(trmpgx.NewDefaultFactory(pool))}
}

// Take reads and writes in a transaction, and joins the one of its caller.
func (s *Service) Take(ctx context.Context, id int64) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		n, err := s.repo.Lock(ctx, id)
		if err != nil {
			return err
		}
		return s.repo.Set(ctx, id, n-1)
	})
}

// Twice is one transaction.
func (s *Service) Twice(ctx context.Context, id int64) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		if err := s.Take(ctx, id); err != nil {
			return err
		}
		nested := settings.Must(settings.WithPropagation(trm.PropagationNested))
		return s.m.DoWithSettings(ctx, nested, func(ctx context.Context) error { return s.Take(ctx, id) })
	})
}

// Report only reads.
func (s *Service) Report(ctx context.Context, id int64) (n int64, err error) {
	opts := trmpgx.MustSettings(settings.Must(), trmpgx.WithTxOptions(pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}))
	err = s.m.DoWithSettings(ctx, opts, func(ctx context.Context) error {
		return s.repo.getter.DefaultTrOrDB(ctx, s.repo.pool).QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n)
	})
	return n, err
}

// Manual uses the transaction of the context.
func (s *Service) Manual(ctx context.Context, id int64) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		tx := trmcontext.DefaultManager.Default(ctx).Transaction().(pgx.Tx)
		if _, err := tx.Exec(ctx, "UPDATE items SET n = 0 WHERE id = $1", id); err != nil {
			return err
		}
		return s.repo.Set(ctx, id, 1)
	})
}
