package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Lock returns what ends it, or so it says.
func Lock(ctx context.Context, pool *pgxpool.Pool, key int64) (func(), error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", key); err != nil { // expect: advisorypool
		conn.Release()
		return nil, err
	}
	return func() { conn.Release() }, nil // or: advisorypool
}

func Settle(ctx context.Context, pool *pgxpool.Pool, shop int64, fn func() error) error {
	release, err := Lock(ctx, pool, shop)
	if err != nil {
		return err
	}
	defer release()
	return fn()
}
