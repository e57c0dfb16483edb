package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"
)

type Executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	GetContext(ctx context.Context, dest any, query string, args ...any) error
}

type Tx interface {
	Executor
	Commit() error
	Rollback() error
}

type Pool interface {
	Executor
	BeginTxx(ctx context.Context, opts *sql.TxOptions) (Tx, error)
	Ping(ctx context.Context) error
	Close() error
}

type plainPool struct{ *sqlx.DB }

func (p *plainPool) BeginTxx(ctx context.Context, opts *sql.TxOptions) (Tx, error) {
	return p.DB.BeginTxx(ctx, opts)
}

func (p *plainPool) Ping(ctx context.Context) error { return p.DB.PingContext(ctx) }

// timed measures every statement of a pool, and of its transactions.
type Timed struct {
	pool Pool
	timedExecutor
}

func NewTimed(pool Pool, observe func(string, time.Duration)) (*Timed, error) {
	x, err := newTimedExecutor(pool, observe)
	if err != nil {
		return nil, err
	}
	return &Timed{pool: pool, timedExecutor: *x}, nil
}

func (t *Timed) BeginTxx(ctx context.Context, opts *sql.TxOptions) (Tx, error) {
	tx, err := t.pool.BeginTxx(ctx, opts)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	return newTimedTx(tx, t.observe)
}

func (t *Timed) Ping(ctx context.Context) error { return t.pool.Ping(ctx) }

func (t *Timed) Close() error { return t.pool.Close() }

type timedTx struct {
	tx Tx
	timedExecutor
}

func newTimedTx(tx Tx, observe func(string, time.Duration)) (*timedTx, error) {
	x, err := newTimedExecutor(tx, observe)
	if err != nil {
		return nil, err
	}
	return &timedTx{tx: tx, timedExecutor: *x}, nil
}

func (t *timedTx) Commit() error { return t.tx.Commit() }

func (t *timedTx) Rollback() error { return t.tx.Rollback() }

type timedExecutor struct {
	Executor
	observe func(string, time.Duration)
}

func newTimedExecutor(x Executor, observe func(string, time.Duration)) (*timedExecutor, error) {
	if x == nil || observe == nil {
		return nil, errors.New("nothing to measure")
	}
	return &timedExecutor{Executor: x, observe: observe}, nil
}

func (t *timedExecutor) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	start := time.Now()
	defer func() { t.observe(query, time.Since(start)) }()
	return t.Executor.ExecContext(ctx, query, args...)
}

// A Router gives the pool of the tenant of a context.
type Router interface {
	PoolOf(ctx context.Context) (Pool, error)
}

type Routed struct{ Router Router }

func (r *Routed) BeginTxx(ctx context.Context, opts *sql.TxOptions) (Tx, error) {
	p, err := r.Router.PoolOf(ctx)
	if err != nil {
		return nil, fmt.Errorf("pool: %w", err)
	}
	return p.BeginTxx(ctx, opts)
}

func (r *Routed) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	p, err := r.Router.PoolOf(ctx)
	if err != nil {
		return nil, err
	}
	return p.ExecContext(ctx, query, args...)
}

func (r *Routed) GetContext(ctx context.Context, dest any, query string, args ...any) error {
	p, err := r.Router.PoolOf(ctx)
	if err != nil {
		return err
	}
	return p.GetContext(ctx, dest, query, args...)
}

func (r *Routed) Ping(ctx context.Context) error {
	p, err := r.Router.PoolOf(ctx)
	if err != nil {
		return err
	}
	return p.Ping(ctx)
}

func (r *Routed) Close() error { return nil }

type TenantKey struct{}

type ByTenant struct{ Pools map[string]Pool }

func (b ByTenant) PoolOf(ctx context.Context) (Pool, error) {
	name, _ := ctx.Value(TenantKey{}).(string)
	p, ok := b.Pools[name]
	if !ok {
		return nil, fmt.Errorf("no tenant %q", name)
	}
	return p, nil
}

func InTx[T any](ctx context.Context, pool Pool, fn func(Tx) (T, error)) (result T, err error) {
	tx, err := pool.BeginTxx(ctx, nil)
	if err != nil {
		return result, fmt.Errorf("begin: %w", err)
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
		}
	}()
	if result, err = fn(tx); err != nil {
		return result, err
	}
	if err = tx.Commit(); err != nil {
		return result, fmt.Errorf("commit: %w", err)
	}
	return result, nil
}

func Open(dsn string) (Pool, error) {
	db, err := sqlx.Open("postgres", dsn)
	if err != nil {
		return nil, err
	}
	return &plainPool{DB: db}, nil
}
