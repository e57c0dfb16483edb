package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

func WithLock(ctx context.Context, pool *pgxpool.Pool, key int64, fn func(context.Context) error) error {
	return pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		if _, err := c.Exec(ctx, "SELECT pg_advisory_lock($1)", key); err != nil { // expect: advisorypool
			return err
		}
		if err := fn(ctx); err != nil {
			return err // or: advisorypool
		}
		_, err := c.Exec(ctx, "SELECT pg_advisory_unlock($1)", key)
		return err
	})
}
