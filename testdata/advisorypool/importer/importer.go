// Package importer reads a feed, one process at a time: a lock on a held
// connection, whose holder forgets which one it was.
package importer

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

const feedKey int64 = 61

// Importer reads the feed.
type Importer struct {
	pool *pgxpool.Pool
	read func(ctx context.Context) error
}

// New returns an importer that reads with read.
func New(pool *pgxpool.Pool, read func(ctx context.Context) error) *Importer {
	return &Importer{pool: pool, read: read}
}

// Import reads the feed. The connection that locked is still held when the
// pool is asked to unlock, so it is certain to be another one.
func (i *Importer) Import(ctx context.Context) error {
	conn, err := i.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, feedKey); err != nil { // want "advisory lock"
		return err
	}
	readErr := i.read(ctx)
	_, err = i.pool.Exec(ctx, `SELECT pg_advisory_unlock($1)`, feedKey) // want "advisory lock"
	return errors.Join(readErr, err)
}

// ImportOnSession unlocks where it locked.
//
//proof:fixes (*Importer).Import
func (i *Importer) ImportOnSession(ctx context.Context) error {
	conn, err := i.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, feedKey); err != nil {
		return errors.Join(err, conn.Conn().Close(context.WithoutCancel(ctx)))
	}
	readErr := i.read(ctx)
	clean := context.WithoutCancel(ctx)
	if _, err = conn.Exec(clean, `SELECT pg_advisory_unlock($1)`, feedKey); err != nil {
		err = errors.Join(err, conn.Conn().Close(clean))
	}
	return errors.Join(readErr, err)
}
