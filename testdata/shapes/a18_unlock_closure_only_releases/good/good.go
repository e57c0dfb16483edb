package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"sync"
)

// Lock returns what ends the session, and the lock with it.
func Lock(ctx context.Context, pool *pgxpool.Pool, key int64) (func(), error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", key); err != nil {
		conn.Release()
		return nil, err
	}
	var once sync.Once
	return func() {
		once.Do(func() { conn.Hijack().Close(context.Background()) })
	}, nil
}

func Settle(ctx context.Context, pool *pgxpool.Pool, shop int64, fn func() error) error {
	release, err := Lock(ctx, pool, shop)
	if err != nil {
		return err
	}
	defer release()
	return fn()
}
