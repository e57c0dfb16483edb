package good

import (
	"context"
	"fmt"
	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
)

type Repo struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

func (r *Repo) Save(ctx context.Context) error {
	_, err := r.getter.DefaultTrOrDB(ctx, r.pool).Exec(ctx, `UPDATE a SET b = 1`)
	return err
}

func (r *Repo) Count(ctx context.Context) (n int, err error) {
	err = r.pool.QueryRow(ctx, `SELECT count(*) FROM a`).Scan(&n)
	return n, err
}

type Svc struct {
	repo *Repo
	trm  *manager.Manager
}

func (s *Svc) Run(ctx context.Context) error {
	n, err := s.repo.Count(ctx)
	if err != nil {
		return err
	}
	err = s.trm.Do(ctx, func(ctx context.Context) error {
		if err := s.repo.Save(ctx); err != nil {
			return err
		}
		return s.trm.Do(ctx, s.repo.Save)
	})
	if err != nil {
		return err
	}
	_, err = http.Get(fmt.Sprint("https://x/", n))
	return err
}
