package good

import (
	"context"
	trmsqlx "github.com/avito-tech/go-transaction-manager/drivers/sqlx/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	"github.com/jmoiron/sqlx"
)

type Repo struct {
	db     *sqlx.DB
	getter *trmsqlx.CtxGetter
}

func (r *Repo) lock(ctx context.Context, id int64) error {
	_, err := r.getter.DefaultTrOrDB(ctx, r.db).ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", id)
	return err
}

func (r *Repo) add(ctx context.Context, id int64) error {
	_, err := r.getter.DefaultTrOrDB(ctx, r.db).ExecContext(ctx, "INSERT INTO bids (lot_id) VALUES ($1)", id)
	return err
}

type Auction struct {
	repo *Repo
	tm   trm.Manager
}

func (a *Auction) Bid(ctx context.Context, lot int64) error {
	return a.tm.Do(ctx, func(ctx context.Context) error {
		if err := a.repo.lock(ctx, lot); err != nil {
			return err
		}
		return a.repo.add(ctx, lot)
	})
}
