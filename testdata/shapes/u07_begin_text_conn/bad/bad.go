package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Importer struct{ pool *pgxpool.Pool }

func (i *Importer) Run(ctx context.Context, batch int64) (err error) {
	conn, err := i.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err = conn.Exec(ctx, "BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE"); err != nil { // expect: unhandled40001
		return err
	}
	defer func() {
		if err != nil {
			_, _ = conn.Exec(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if _, err = conn.Exec(ctx, "INSERT INTO batches (id, total) SELECT $1, sum(n) FROM rows WHERE batch = $1", batch); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "COMMIT")
	return err
}
