package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Importer struct{ pool *pgxpool.Pool }

// Load stages rows on whatever connections come.
func (i *Importer) Load(ctx context.Context, rows [][]any) error {
	_, err := i.pool.Exec(ctx, `CREATE TEMPORARY TABLE staging (LIKE products INCLUDING DEFAULTS)`) // expect: sessionset
	if err != nil {
		return err
	}
	if _, err := i.pool.CopyFrom(ctx, pgx.Identifier{"staging"}, []string{"sku", "name"}, pgx.CopyFromRows(rows)); err != nil {
		return err
	}
	_, err = i.pool.Exec(ctx, `INSERT INTO products (sku, name) SELECT sku, name FROM staging ON CONFLICT (sku) DO UPDATE SET name = excluded.name`)
	return err
}
