package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Sync has its own connection for the work and locks through the pool.
func Sync(ctx context.Context, pool *pgxpool.Pool, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := pool.Exec(ctx, "SELECT pg_advisory_lock(1, 2)"); err != nil { // expect: advisorypool
		return err
	}
	if _, err := conn.Exec(ctx, "CALL sync_all()"); err != nil {
		return err
	}
	_, err = pool.Exec(ctx, "SELECT pg_advisory_unlock(1, 2)") // also: advisorypool
	return err
}
