package bad

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	_ "github.com/lib/pq"
)

const lockID = 8_270_010_101

// Upgrade runs the steps under a lock that no session of its own holds.
func Upgrade(ctx context.Context, dsn string, steps []func(*sql.DB) error) (err error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err = db.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_lock(%d)", int64(lockID))); err != nil { // expect: advisorypool
		return err
	}
	defer func() {
		_, e := db.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_unlock(%d)", int64(lockID))) // also: advisorypool
		err = errors.Join(err, e)
	}()
	for _, s := range steps {
		if err := s(db); err != nil {
			return err
		}
	}
	return nil
}
