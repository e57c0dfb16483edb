package good

import (
	"context"
	"database/sql"
	"io"
)

type Locker interface {
	Lock(ctx context.Context, key int64) error
	Unlock(ctx context.Context, key int64) error
	io.Closer
}

type pgLocker struct{ conn *sql.Conn }

func NewLocker(ctx context.Context, db *sql.DB) (Locker, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &pgLocker{conn: conn}, nil
}

func (l *pgLocker) Lock(ctx context.Context, key int64) error {
	_, err := l.conn.ExecContext(ctx, `SELECT pg_advisory_lock($1);`, key)
	return err
}

func (l *pgLocker) Unlock(ctx context.Context, key int64) error {
	_, err := l.conn.ExecContext(ctx, `SELECT pg_advisory_unlock($1);`, key)
	return err
}

func (l *pgLocker) Close() error { return l.conn.Close() }
