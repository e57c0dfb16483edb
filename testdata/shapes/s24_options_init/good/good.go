package good

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"time"
)

type options struct {
	tz      string
	timeout time.Duration
}

type Option func(*options)

func WithTimeZone(tz string) Option { return func(o *options) { o.tz = tz } }

func Open(ctx context.Context, dsn string, opts ...Option) (*pgxpool.Pool, error) {
	o := options{tz: "UTC"}
	for _, f := range opts {
		f(&o)
	}
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		if _, err := c.Exec(ctx, fmt.Sprintf("SET TIME ZONE '%s'", o.tz)); err != nil {
			return err
		}
		_, err := c.Exec(ctx, fmt.Sprintf("SET statement_timeout = %d", o.timeout.Milliseconds()))
		return err
	}
	cfg.BeforeAcquire = func(ctx context.Context, c *pgx.Conn) bool {
		_, err := c.Exec(ctx, "SELECT set_config('app.request', $1, false)", ctx.Value("request-id"))
		return err == nil
	}
	return pgxpool.NewWithConfig(ctx, cfg)
}
