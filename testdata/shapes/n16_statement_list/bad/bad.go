package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Recreate(ctx context.Context, pool *pgxpool.Pool) error {
	stmts := []string{
		"SET LOCAL lock_timeout = '5s'",
		"SET LOCAL statement_timeout = 0",
	}
	for _, q := range stmts {
		if _, err := pool.Exec(ctx, q); err != nil { // expect: notxeffect
			return err
		}
	}
	_, err := pool.Exec(ctx, "REFRESH MATERIALIZED VIEW sales_by_day")
	return err
}
