package good

import (
	"context"
	"database/sql"
	"errors"
	_ "github.com/lib/pq"
)

const lockID = 8_270_010_101

func Upgrade(ctx context.Context, dsn string, steps []func(*sql.DB) error) (err error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err = lock(ctx, conn); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock(conn)) }()
	for _, s := range steps {
		if err := s(db); err != nil {
			return err
		}
	}
	return nil
}

func lock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "select pg_advisory_lock($1)", int64(lockID))
	return err
}

func unlock(conn *sql.Conn) error {
	_, err := conn.ExecContext(context.Background(), "select pg_advisory_unlock($1)", int64(lockID))
	return err
}
