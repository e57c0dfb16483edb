package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Mutex struct {
	pool *pgxpool.Pool
	key  int64
	conn *pgxpool.Conn
}

func (m *Mutex) Lock(ctx context.Context) error {
	conn, err := m.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	if _, err = conn.Exec(ctx, "SELECT pg_advisory_lock($1)", m.key); err != nil {
		conn.Release()
		return err
	}
	m.conn = conn
	return nil
}

func (m *Mutex) Unlock(ctx context.Context) error {
	conn := m.conn
	m.conn = nil
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", m.key); err != nil {
		return errors.Join(err, conn.Hijack().Close(ctx))
	}
	conn.Release()
	return nil
}
