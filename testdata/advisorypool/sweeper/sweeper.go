// Package sweeper removes expired carts, one process at a time: pgx on a pool.
package sweeper

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

const sweepKey int64 = 20_017

// Sweeper removes carts.
type Sweeper struct {
	pool  *pgxpool.Pool
	sweep func(ctx context.Context) error
}

// New returns a sweeper that sweeps with sweep.
func New(pool *pgxpool.Pool, sweep func(ctx context.Context) error) *Sweeper {
	return &Sweeper{pool: pool, sweep: sweep}
}

// Run sweeps. The unlock goes to whichever connection is free by then; on
// another one than the lock it does nothing.
func (s *Sweeper) Run(ctx context.Context) error {
	if _, err := s.pool.Exec(ctx, `SELECT pg_advisory_lock($1)`, sweepKey); err != nil { // want "advisory lock"
		return err
	}
	defer s.pool.Exec(ctx, `SELECT pg_advisory_unlock($1)`, sweepKey) // want "advisory lock"
	return s.sweep(ctx)
}

// RunOnSession locks and unlocks on one connection, and closes it when the
// unlock fails.
//
//proof:fixes (*Sweeper).Run
func (s *Sweeper) RunOnSession(ctx context.Context) (err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, sweepKey); err != nil {
		return errors.Join(err, conn.Conn().Close(context.WithoutCancel(ctx)))
	}
	defer func() {
		clean := context.WithoutCancel(ctx)
		if _, unlockErr := conn.Exec(clean, `SELECT pg_advisory_unlock($1)`, sweepKey); unlockErr != nil {
			err = errors.Join(err, unlockErr, conn.Conn().Close(clean))
		}
	}()
	return s.sweep(ctx)
}
