package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Loader struct{ pool *pgxpool.Pool }

func (l *Loader) Load(ctx context.Context, rows [][2]string) error {
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "START TRANSACTION"); err != nil {
		return err
	}
	for _, r := range rows {
		if err := l.one(ctx, conn, r); err != nil {
			conn.Exec(ctx, "ROLLBACK")
			return err
		}
	}
	_, err = conn.Exec(ctx, "COMMIT")
	return err
}

func (l *Loader) one(ctx context.Context, conn *pgxpool.Conn, r [2]string) error {
	if _, err := conn.Exec(ctx, "SAVEPOINT row"); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "INSERT INTO kv VALUES ($1, $2)", r[0], r[1]); err != nil {
		_, err := conn.Exec(ctx, "ROLLBACK TO SAVEPOINT row")
		return err
	}
	_, err := conn.Exec(ctx, "RELEASE SAVEPOINT row")
	return err
}
