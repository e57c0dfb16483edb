package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"time"
)

type Elector struct {
	pool *pgxpool.Pool
	id   int64
}

func (e *Elector) Campaign(ctx context.Context, lead func(context.Context) error) error {
	for {
		conn, err := e.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		var won bool
		err = conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", e.id).Scan(&won)
		switch {
		case err != nil:
			conn.Release()
			return err
		case won:
			err := lead(ctx)
			conn.Hijack().Close(context.WithoutCancel(ctx))
			return err
		}
		conn.Release()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
}
