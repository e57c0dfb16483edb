// Package tenants reads the catalog of one tenant: row level security by a
// setting, on a pgx pool.
package tenants

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Catalog lists items.
type Catalog struct{ pool *pgxpool.Pool }

// NewCatalog returns a catalog over the pool.
func NewCatalog(pool *pgxpool.Pool) *Catalog { return &Catalog{pool: pool} }

const names = `SELECT name FROM items WHERE tenant = current_setting('app.tenant', true) ORDER BY name`

// Items lists the tenant's items. The third argument of set_config is false:
// the tenant stays on the connection.
func (c *Catalog) Items(ctx context.Context, tenant string) ([]string, error) {
	if _, err := c.pool.Exec(ctx, `SELECT set_config('app.tenant', $1, false)`, tenant); err != nil { // want "session"
		return nil, err
	}
	rows, err := c.pool.Query(ctx, names)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// ItemsInTx sets the tenant for one transaction.
//
//proof:fixes (*Catalog).Items
func (c *Catalog) ItemsInTx(ctx context.Context, tenant string) (items []string, err error) {
	err = pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT set_config('app.tenant', $1, true)`, tenant); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, names)
		if err != nil {
			return err
		}
		items, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return items, err
}

// Listed lists what the connection's tenant may see, nothing without one. It
// trusts that every connection comes without.
func (c *Catalog) Listed(ctx context.Context) ([]string, error) {
	rows, err := c.pool.Query(ctx, names)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Open returns a pool whose connections all search the same schemas: a setting
// of the session in the place that is made for it.
func Open(ctx context.Context, dsn string) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	cfg.ConnConfig.RuntimeParams["application_name"] = "catalog"
	cfg.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `SET search_path = catalog, public`)
		return err
	}
	return pgxpool.NewWithConfig(ctx, cfg)
}
