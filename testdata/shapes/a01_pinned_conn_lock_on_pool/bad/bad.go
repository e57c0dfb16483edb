package bad

import (
	"context"
	"database/sql"
	"errors"
)

var ErrBusy = errors.New("lock is busy")

type Lock struct {
	conn *sql.Conn
	key  int64
}

// TryLock pins a connection and then asks the pool.
func TryLock(ctx context.Context, db *sql.DB, key int64) (*Lock, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var ok bool
	if err := db.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", key).Scan(&ok); err != nil { // expect: advisorypool
		conn.Close()
		return nil, err
	}
	if !ok {
		conn.Close()
		return nil, ErrBusy
	}
	return &Lock{conn: conn, key: key}, nil
}

func (l *Lock) Unlock(ctx context.Context) error {
	defer l.conn.Close()
	_, err := l.conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", l.key)
	return err
}
