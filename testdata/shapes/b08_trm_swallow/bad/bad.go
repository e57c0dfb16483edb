package bad

import (
	"context"
	trmsqlx "github.com/avito-tech/go-transaction-manager/drivers/sqlx/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jmoiron/sqlx"
	"strings"
)

type Repo struct {
	db  *sqlx.DB
	get *trmsqlx.CtxGetter
}

func (r *Repo) Insert(ctx context.Context, name string) error {
	_, err := r.get.DefaultTrOrDB(ctx, r.db).ExecContext(ctx, "INSERT INTO cities (name) VALUES ($1)", name)
	return err
}

func (r *Repo) Count(ctx context.Context) (n int, err error) {
	err = r.get.DefaultTrOrDB(ctx, r.db).GetContext(ctx, &n, "SELECT count(*) FROM cities")
	return n, err
}

type Svc struct {
	trm  *manager.Manager
	repo *Repo
}

func isDup(err error) bool { return err != nil && strings.Contains(err.Error(), "duplicate key value") }

func (s *Svc) Add(ctx context.Context, name string) (n int, err error) {
	err = s.trm.Do(ctx, func(ctx context.Context) error {
		if err := s.repo.Insert(ctx, name); err != nil && !isDup(err) {
			return err
		}
		n, err = s.repo.Count(ctx) // expect: abortedtx
		return err
	})
	return n, err
}
