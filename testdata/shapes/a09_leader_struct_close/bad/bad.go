package bad

import (
	"context"
	"database/sql"
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
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", l.key).Scan(&ok); err != nil { // expect: advisorypool
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

// Resign believes that Close ends the session.
func (l *Leader) Resign() error {
	if l.conn == nil {
		return nil
	}
	err := l.conn.Close() // or: advisorypool
	l.conn = nil
	return err
}
