package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

// OpenReplica wants a pool that cannot write, and makes one connection so.
func OpenReplica(ctx context.Context, dsn string) (*pgxpool.Pool, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"); err != nil { // expect: sessionset
		pool.Close()
		return nil, err
	}
	return pool, nil
}
