package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Sync holds the lock until its own connection closes.
func Sync(ctx context.Context, pool *pgxpool.Pool, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(1, 2)"); err != nil {
		return err
	}
	_, err = pool.Exec(ctx, "CALL sync_all()")
	return err
}

// Steal hijacks, so the lock dies with the session.
func Steal(ctx context.Context, pool *pgxpool.Pool, fn func(context.Context) error) error {
	pc, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := pc.Hijack()
	defer conn.Close(context.Background())
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(3, 4)"); err != nil {
		return err
	}
	return fn(ctx)
}
