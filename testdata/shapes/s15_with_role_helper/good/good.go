package good

import (
	"context"
	"errors"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func withRole(ctx context.Context, pool *pgxpool.Pool, role string, fn func(*pgxpool.Conn) error) (err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if _, rerr := conn.Exec(context.WithoutCancel(ctx), "RESET ROLE"); rerr != nil {
			conn.Hijack().Close(context.WithoutCancel(ctx))
			err = errors.Join(err, rerr)
			return
		}
		conn.Release()
	}()
	if _, err := conn.Exec(ctx, fmt.Sprintf("SET ROLE %s", pgx.Identifier{role}.Sanitize())); err != nil {
		return err
	}
	return fn(conn)
}

func Grants(ctx context.Context, pool *pgxpool.Pool, role string) (out []string, err error) {
	err = withRole(ctx, pool, role, func(c *pgxpool.Conn) error {
		rows, err := c.Query(ctx, "SELECT table_name FROM information_schema.role_table_grants")
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return out, err
}
