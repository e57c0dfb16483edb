package bad

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
	for _, r := range rows {
		if _, err := conn.Exec(ctx, "SAVEPOINT row"); err != nil { // expect: notxeffect
			return err
		}
		if _, err := conn.Exec(ctx, "INSERT INTO kv VALUES ($1, $2)", r[0], r[1]); err != nil {
			if _, err := conn.Exec(ctx, "ROLLBACK TO SAVEPOINT row"); err != nil {
				return err
			}
		}
	}
	return nil
}
