// Package registry keeps names taken while a process lives, on a pool of its
// own that a mutex keeps to one statement at a time: database/sql.
package registry

import (
	"context"
	"database/sql"
	"sync"
)

// Registry takes names.
type Registry struct {
	mu sync.Mutex
	db *sql.DB
}

// New returns a registry over a pool that nobody else uses.
func New(db *sql.DB) *Registry { return &Registry{db: db} }

// Take is right: one statement at a time never makes the pool open a second
// connection, so that lock and unlock run on the same one.
func (r *Registry) Take(ctx context.Context, key int64) (taken bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err = r.db.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, key).Scan(&taken)
	return taken, err
}

// GiveBack is right for the same reason.
func (r *Registry) GiveBack(ctx context.Context, key int64) (given bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err = r.db.QueryRowContext(ctx, `SELECT pg_advisory_unlock($1)`, key).Scan(&given)
	return given, err
}
