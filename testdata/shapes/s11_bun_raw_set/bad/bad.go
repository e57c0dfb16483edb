package bad

import (
	"context"
	"database/sql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
)

type Tenants struct{ db *bun.DB }

func NewTenants(sqldb *sql.DB) *Tenants {
	return &Tenants{db: bun.NewDB(sqldb, pgdialect.New())}
}

func (t *Tenants) use(ctx context.Context, schema string) error {
	_, err := t.db.NewRaw("SET search_path TO ?", bun.Ident(schema)).Exec(ctx) // expect: sessionset
	return err
}

func (t *Tenants) Count(ctx context.Context, schema string) (int64, error) {
	if err := t.use(ctx, schema); err != nil {
		return 0, err
	}
	return t.db.NewSelect().Table("orders").Count(ctx)
}
