package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Importer struct{ pool *pgxpool.Pool }

func (i *Importer) Run(ctx context.Context, batch int64) error {
	for {
		err := i.run(ctx, batch)
		if pe := (*pgconn.PgError)(nil); errors.As(err, &pe) && pe.SQLState() == "40001" {
			continue
		}
		return err
	}
}

func (i *Importer) run(ctx context.Context, batch int64) (err error) {
	conn, err := i.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err = conn.Exec(ctx, "BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE"); err != nil {
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

func (i *Importer) Snapshot(ctx context.Context) (n int, err error) {
	conn, err := i.pool.Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"); err != nil {
		return 0, err
	}
	err = conn.QueryRow(ctx, "SELECT count(*) FROM rows").Scan(&n)
	_, _ = conn.Exec(context.WithoutCancel(ctx), "ROLLBACK")
	return n, err
}
