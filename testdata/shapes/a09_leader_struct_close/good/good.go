package good

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

type Leader struct {
	db   *sql.DB
	conn *sql.Conn
	key  int64
}

func (l *Leader) Acquire(ctx context.Context) (bool, error) {
	conn, err := l.db.Conn(ctx)
	if err != nil {
		return false, err
	}
	var ok bool
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", l.key).Scan(&ok); err != nil {
		conn.Close()
		return false, err
	}
	if !ok {
		conn.Close()
		return false, nil
	}
	l.conn = conn
	return true, nil
}

// Resign drops the session, which ends its locks.
func (l *Leader) Resign() error {
	if l.conn == nil {
		return nil
	}
	err := l.conn.Raw(func(any) error { return driver.ErrBadConn })
	l.conn = nil
	if errors.Is(err, driver.ErrBadConn) {
		return nil
	}
	return err
}
