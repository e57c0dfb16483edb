// Package reindex rebuilds a search index, one process at a time: a connection
// taken from a pgx pool.
package reindex

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

const indexKey int64 = 88

// Indexer rebuilds the index.
type Indexer struct {
	pool    *pgxpool.Pool
	rebuild func(ctx context.Context) error
}

// New returns an indexer that rebuilds with rebuild.
func New(pool *pgxpool.Pool, rebuild func(ctx context.Context) error) *Indexer {
	return &Indexer{pool: pool, rebuild: rebuild}
}

// Rebuild rebuilds the index. When that fails it returns the connection with
// the lock on it.
func (i *Indexer) Rebuild(ctx context.Context) error {
	conn, err := i.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, indexKey); err != nil { // want "advisory lock"
		return err
	}
	if err := i.rebuild(ctx); err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	_, err = conn.Exec(ctx, `SELECT pg_advisory_unlock($1)`, indexKey)
	return err
}

// RebuildSafely takes the connection out of the pool, and closes it: the end
// of a session is the end of its locks.
//
//proof:fixes (*Indexer).Rebuild
func (i *Indexer) RebuildSafely(ctx context.Context) (err error) {
	pooled, err := i.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := pooled.Hijack()
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, indexKey); err != nil {
		return err
	}
	if err := i.rebuild(ctx); err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	return nil
}
