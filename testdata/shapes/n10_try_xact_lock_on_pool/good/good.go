package good

import (
	"context"
	"github.com/jackc/pgx/v5"
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
		if err := pgx.BeginFunc(ctx, c.pool, c.once(ctx)); err != nil {
			c.log.Error("clean", "err", err)
		}
	}
}

func (c *Cleaner) once(ctx context.Context) func(pgx.Tx) error {
	return func(tx pgx.Tx) error {
		var leader bool
		if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1, $2)", 77, 1).Scan(&leader); err != nil || !leader {
			return err
		}
		_, err := tx.Exec(ctx, "DELETE FROM sessions WHERE expires_at < now()")
		return err
	}
}
