package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"strings"
)

func Recreate(ctx context.Context, pool *pgxpool.Pool) error {
	stmts := []string{
		"SET LOCAL lock_timeout = '5s'",
		"SET LOCAL statement_timeout = 0",
		"REFRESH MATERIALIZED VIEW sales_by_day",
	}
	_, err := pool.Exec(ctx, strings.Join(stmts, "; "))
	return err
}

const refresh = `
SET LOCAL lock_timeout = '5s';
REFRESH MATERIALIZED VIEW sales_by_month;
`

func Monthly(ctx context.Context, pool *pgxpool.Pool) error {
	if _, err := pool.Exec(ctx, refresh); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, "BEGIN; SET LOCAL work_mem = '1GB'; REFRESH MATERIALIZED VIEW sales_by_year; COMMIT")
	return err
}
