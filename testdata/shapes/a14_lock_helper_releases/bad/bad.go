package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Mutex struct {
	pool *pgxpool.Pool
	key  int64
}

// Lock gives its connection back at once; Unlock takes another.
func (m *Mutex) Lock(ctx context.Context) error {
	conn, err := m.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Exec(ctx, "SELECT pg_advisory_lock($1)", m.key) // expect: advisorypool
	return err
}

func (m *Mutex) Unlock(ctx context.Context) error {
	conn, err := m.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", m.key) // also: advisorypool
	return err
}
