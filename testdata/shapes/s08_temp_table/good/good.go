package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Importer struct{ pool *pgxpool.Pool }

func (i *Importer) Load(ctx context.Context, rows [][]any) error {
	return pgx.BeginFunc(ctx, i.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `CREATE TEMPORARY TABLE staging (LIKE products INCLUDING DEFAULTS) ON COMMIT DROP`)
		if err != nil {
			return err
		}
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"staging"}, []string{"sku", "name"}, pgx.CopyFromRows(rows)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO products (sku, name) SELECT sku, name FROM staging ON CONFLICT (sku) DO UPDATE SET name = excluded.name`)
		return err
	})
}

// Dry holds one session for the table's life.
func (i *Importer) Dry(ctx context.Context, rows [][]any) error {
	conn, err := i.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `CREATE TEMP TABLE dry_run (sku text, name text)`); err != nil {
		return err
	}
	defer conn.Exec(context.WithoutCancel(ctx), `DROP TABLE IF EXISTS dry_run`)
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"dry_run"}, []string{"sku", "name"}, pgx.CopyFromRows(rows))
	return err
}
