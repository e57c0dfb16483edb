package good

import (
	"context"
	trmsqlx "github.com/avito-tech/go-transaction-manager/drivers/sqlx/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jmoiron/sqlx"
)

type Reports struct {
	db     *sqlx.DB
	getter *trmsqlx.CtxGetter
	tm     *manager.Manager
}

func (r *Reports) slow(ctx context.Context) error {
	_, err := r.getter.DefaultTrOrDB(ctx, r.db).ExecContext(ctx, "SET LOCAL statement_timeout TO '10min'")
	return err
}

func (r *Reports) Yearly(ctx context.Context, year int) (total int64, err error) {
	err = r.tm.Do(ctx, func(ctx context.Context) error {
		if err := r.slow(ctx); err != nil {
			return err
		}
		return r.getter.DefaultTrOrDB(ctx, r.db).GetContext(ctx, &total, "SELECT sum(total) FROM sales WHERE year = $1", year)
	})
	return total, err
}
