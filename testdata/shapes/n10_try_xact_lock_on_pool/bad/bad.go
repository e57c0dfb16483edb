package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"log/slog"
	"time"
)

type Cleaner struct {
	pool *pgxpool.Pool
	log  *slog.Logger
}

func (c *Cleaner) Run(ctx context.Context) error {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		var leader bool
		err := c.pool.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1, $2)", 77, 1).Scan(&leader) // expect: notxeffect
		if err != nil {
			c.log.Error("lock", "err", err)
			continue
		}
		if !leader {
			continue
		}
		if _, err := c.pool.Exec(ctx, "DELETE FROM sessions WHERE expires_at < now()"); err != nil {
			c.log.Error("delete", "err", err)
		}
	}
}
