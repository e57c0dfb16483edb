package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Docs struct {
	pool    *pgxpool.Pool
	queries *Queries
}

func NewDocs(pool *pgxpool.Pool) *Docs { return &Docs{pool: pool, queries: New(pool)} }

func (d *Docs) Count(ctx context.Context, tenant string) (n int64, err error) {
	err = d.inTenant(ctx, tenant, func(q Querier) error {
		n, err = q.CountDocs(ctx)
		return err
	})
	return n, err
}

func (d *Docs) inTenant(ctx context.Context, tenant string, fn func(Querier) error) error {
	tx, err := d.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	q := d.queries.WithTx(tx)
	if err := q.SetTenant(ctx, tenant); err != nil {
		return err
	}
	if err := fn(q); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
