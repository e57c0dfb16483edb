package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"time"
)

func WithLock[T any](ctx context.Context, pool *pgxpool.Pool, key int64, fn func(context.Context) (T, error)) (out T, err error) {
	err = pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		if _, err := c.Exec(ctx, "SELECT pg_advisory_lock($1)", key); err != nil {
			return err
		}
		defer func() {
			clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			if _, err := c.Exec(clean, "SELECT pg_advisory_unlock($1)", key); err != nil {
				c.Conn().Close(clean)
			}
		}()
		out, err = fn(ctx)
		return err
	})
	return out, err
}
