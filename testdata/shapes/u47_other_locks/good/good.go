// Package good keeps others out by other means than rows.
package good

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

type Meter struct {
	db *sql.DB
	mu sync.Mutex
}

// AddAlone runs in a program of which there is one.
func (m *Meter) AddAlone(ctx context.Context, id, n int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var v int64
	if err := m.db.QueryRowContext(ctx, `SELECT value FROM meters WHERE id = $1`, id).Scan(&v); err != nil {
		return err
	}
	_, err := m.db.ExecContext(ctx, `UPDATE meters SET value = $1 WHERE id = $2`, v+n, id)
	return err
}

// Locker is a lock that all programs share.
type Locker interface {
	Lock(ctx context.Context, key string, ttl time.Duration) (unlock func(), err error)
}

func (m *Meter) AddLocked(ctx context.Context, l Locker, id, n int64) error {
	unlock, err := l.Lock(ctx, "meter", time.Second)
	if err != nil {
		return err
	}
	defer unlock()
	var v int64
	if err := m.db.QueryRowContext(ctx, `SELECT value FROM meters WHERE id = $1`, id).Scan(&v); err != nil {
		return err
	}
	_, err = m.db.ExecContext(ctx, `UPDATE meters SET value = $1 WHERE id = $2`, v+n, id)
	return err
}

// AddAdvised takes an advisory lock through a helper.
func (m *Meter) AddAdvised(ctx context.Context, id, n int64) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := advise(ctx, tx, id); err != nil {
		return err
	}
	var v int64
	if err := tx.QueryRowContext(ctx, `SELECT value FROM meters WHERE id = $1`, id).Scan(&v); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE meters SET value = $1 WHERE id = $2`, v+n, id); err != nil {
		return err
	}
	return tx.Commit()
}

func advise(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, id)
	return err
}
