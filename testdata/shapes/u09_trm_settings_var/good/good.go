package good

import (
	"context"
	"errors"
	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/settings"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/u09_trm_settings_var/good/retry"
)

type runner interface {
	DoWithSettings(ctx context.Context, s trm.Settings, fn func(context.Context) error) error
}

type Service struct {
	trm  runner
	repo *Repo
}

type Repo struct {
	pool *pgxpool.Pool
	get  *trmpgx.CtxGetter
}

var strict = trmpgx.MustSettings(settings.Must(settings.WithPropagation(trm.PropagationRequired)), trmpgx.WithTxOptions(pgx.TxOptions{IsoLevel: pgx.Serializable}))

func New(m trm.Manager, repo *Repo) *Service {
	return &Service{trm: retry.Manager{Inner: m, Max: 5}, repo: repo}
}

func (r *Repo) Count(ctx context.Context) (n int, err error) {
	err = r.get.DefaultTrOrDB(ctx, r.pool).QueryRow(ctx, "SELECT count(*) FROM shifts").Scan(&n)
	return n, err
}

func (r *Repo) Leave(ctx context.Context, id int64) error {
	_, err := r.get.DefaultTrOrDB(ctx, r.pool).Exec(ctx, "DELETE FROM shifts WHERE id = $1", id)
	return err
}

func (s *Service) Leave(ctx context.Context, id int64) error {
	return s.trm.DoWithSettings(ctx, strict, func(ctx context.Context) error {
		n, err := s.repo.Count(ctx)
		if err != nil {
			return err
		}
		if n < 2 {
			return errors.New("last one")
		}
		return s.repo.Leave(ctx, id)
	})
}
