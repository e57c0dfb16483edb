package good

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Exclusive runs fn on one replica at a time.
func Exclusive(ctx context.Context, pool *pgxpool.Pool, fn func(context.Context) error) (err error) {
	return pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err = conn.Exec(ctx, "SELECT pg_advisory_lock(71)"); err != nil {
			return err // not locked
		}
		defer func() {
			_, unlockErr := conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(71)")
			if err == nil {
				err = unlockErr
			}
		}()
		err = fn(ctx)
		return err
	})
}
