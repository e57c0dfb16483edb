package bad

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Exclusive runs fn on one replica at a time.
func Exclusive(ctx context.Context, pool *pgxpool.Pool, fn func(context.Context) error) (err error) {
	return pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err = conn.Exec(ctx, "SELECT pg_advisory_lock(71)"); err != nil { // expect: advisorypool
			return err // not locked
		}
		if err = fn(ctx); err != nil {
			return err // or: advisorypool
		}
		_, err = conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(71)")
		return err
	})
}
