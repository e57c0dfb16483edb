package good

import (
	"context"
	"errors"
	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/avito-tech/go-transaction-manager/trm/v2/settings"
	"github.com/jackc/pgx/v5/pgxpool"
	"log/slog"
)

type Repo struct {
	pool *pgxpool.Pool
	get  *trmpgx.CtxGetter
}

func (r *Repo) Insert(ctx context.Context, n string) error {
	_, err := r.get.DefaultTrOrDB(ctx, r.pool).Exec(ctx, "INSERT INTO t (n) VALUES ($1)", n)
	return err
}

func (r *Repo) Log(ctx context.Context, n string) error {
	_, err := r.get.DefaultTrOrDB(ctx, r.pool).Exec(ctx, "INSERT INTO log (n) VALUES ($1)", n)
	return err
}

type Svc struct {
	m    *manager.Manager
	repo *Repo
}

var nested = trmpgx.MustSettings(settings.Must(settings.WithPropagation(trm.PropagationNested)))

func (s *Svc) Add(ctx context.Context, n string) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		err := s.m.DoWithSettings(ctx, nested, func(ctx context.Context) error { return s.repo.Insert(ctx, n) })
		if err != nil {
			slog.Warn("insert", "err", err)
		}
		return s.repo.Log(ctx, n)
	})
}

// Add2 logs outside of the transaction.
func (s *Svc) Add2(ctx context.Context, n string) error {
	err := s.m.Do(ctx, func(ctx context.Context) error { return s.repo.Insert(ctx, n) })
	if err != nil {
		return errors.Join(err, s.repo.Log(ctx, "failed "+n))
	}
	return nil
}
