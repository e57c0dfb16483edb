package good

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

var ErrBusy = errors.New("lock is busy")

type Lock struct {
	conn *sql.Conn
	key  int64
}

func TryLock(ctx context.Context, db *sql.DB, key int64) (*Lock, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var ok bool
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", key).Scan(&ok); err != nil {
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
	var ok bool
	if err := l.conn.QueryRowContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", l.key).Scan(&ok); err != nil || !ok {
		return errors.Join(err, l.conn.Raw(func(any) error { return driver.ErrBadConn }))
	}
	return nil
}
