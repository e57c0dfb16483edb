package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Docs struct{ queries *Queries }

func NewDocs(pool *pgxpool.Pool) *Docs { return &Docs{queries: New(pool)} }

func (d *Docs) Count(ctx context.Context, tenant string) (int64, error) {
	if err := d.queries.SetTenant(ctx, tenant); err != nil { // expect: notxeffect
		return 0, err
	}
	return d.queries.CountDocs(ctx)
}
