package bad

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5/pgxpool"
	"time"
)

type options struct {
	tz      string
	timeout time.Duration
}

type Option func(*options)

func WithTimeZone(tz string) Option { return func(o *options) { o.tz = tz } }

type Store struct {
	pool *pgxpool.Pool
	opts options
}

func NewStore(ctx context.Context, pool *pgxpool.Pool, opts ...Option) (*Store, error) {
	s := &Store{pool: pool, opts: options{tz: "UTC"}}
	for _, o := range opts {
		o(&s.opts)
	}
	return s, s.init(ctx)
}

func (s *Store) init(ctx context.Context) error {
	stmts := []string{
		fmt.Sprintf("SET TIME ZONE '%s'", s.opts.tz),
	}
	if s.opts.timeout > 0 {
		stmts = append(stmts, fmt.Sprintf("SET statement_timeout = %d", s.opts.timeout.Milliseconds()))
	}
	for _, q := range stmts {
		if _, err := s.pool.Exec(ctx, q); err != nil { // expect: sessionset
			return err
		}
	}
	return nil
}
