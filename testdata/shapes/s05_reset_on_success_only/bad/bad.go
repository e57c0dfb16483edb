package bad

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
	if _, err := conn.Exec(ctx, "SET statement_timeout = 0"); err != nil { // expect: sessionset
		return err
	}
	for _, t := range tables {
		if _, err := conn.Exec(ctx, "REINDEX TABLE "+pgx.Identifier{t}.Sanitize()); err != nil {
			return fmt.Errorf("%s: %w", t, err) // or: sessionset
		}
	}
	_, err = conn.Exec(ctx, "RESET statement_timeout")
	return err
}
