package bad

import (
	"context"
	"database/sql"
)

type Locker interface {
	Lock(ctx context.Context, key int64) error
	Unlock(ctx context.Context, key int64) error
}

type pgLocker struct {
	db interface {
		ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error)
	}
}

func NewLocker(db *sql.DB) Locker { return &pgLocker{db: db} }

func (l *pgLocker) Lock(ctx context.Context, key int64) error {
	_, err := l.db.ExecContext(ctx, `SELECT pg_advisory_lock($1);`, key) // expect: advisorypool
	return err
}

func (l *pgLocker) Unlock(ctx context.Context, key int64) error {
	_, err := l.db.ExecContext(ctx, `SELECT pg_advisory_unlock($1);`, key) // expect: advisorypool
	return err
}
