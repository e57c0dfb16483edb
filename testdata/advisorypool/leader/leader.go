// Package leader lets one process of many be the leader for a while:
// database/sql.
package leader

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// ErrFollower says that another process leads.
var ErrFollower = errors.New("another process leads")

// Election elects the leader of a topic.
type Election struct {
	db    *sql.DB
	topic int64
}

// NewElection returns an election over the database.
func NewElection(db *sql.DB, topic int64) *Election { return &Election{db: db, topic: topic} }

// Lead runs work if no other process leads. Close does not end the session: it
// goes back to the pool and goes on leading.
func (e *Election) Lead(ctx context.Context, work func(ctx context.Context) error) error {
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var leads bool
	if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, e.topic).Scan(&leads); err != nil { // want "advisory lock"
		return err
	}
	if !leads {
		return ErrFollower
	}
	return work(ctx)
}

// LeadAndUnlock unlocks before the session goes back.
//
//proof:fixes (*Election).Lead
func (e *Election) LeadAndUnlock(ctx context.Context, work func(ctx context.Context) error) (err error) {
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var leads bool
	if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, e.topic).Scan(&leads); err != nil {
		return err
	}
	if !leads {
		return ErrFollower
	}
	defer func() {
		if _, unlockErr := conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, e.topic); unlockErr != nil {
			err = errors.Join(err, unlockErr, discard(conn))
		}
	}()
	return work(ctx)
}

// discard makes the pool throw the session away.
func discard(conn *sql.Conn) error {
	err := conn.Raw(func(any) error { return driver.ErrBadConn })
	if errors.Is(err, driver.ErrBadConn) {
		return nil
	}
	return err
}
