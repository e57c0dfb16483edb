package good

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Reindex(ctx context.Context, pool *pgxpool.Pool, tables []string) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SET statement_timeout = 0"); err != nil {
		return err
	}
	failed := error(nil)
	for _, t := range tables {
		if _, err := conn.Exec(ctx, "REINDEX TABLE "+pgx.Identifier{t}.Sanitize()); err != nil {
			failed = fmt.Errorf("%s: %w", t, err)
			break
		}
	}
	if _, err = conn.Exec(ctx, "SET statement_timeout TO DEFAULT"); err != nil {
		conn.Conn().Close(ctx)
	}
	return failed
}
