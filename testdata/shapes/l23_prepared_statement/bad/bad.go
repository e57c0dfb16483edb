package bad

import (
	"context"
	"database/sql"
)

type Meters struct {
	db   *sql.DB
	lock *sql.Stmt
	set  *sql.Stmt
}

func NewMeters(db *sql.DB) (*Meters, error) {
	lock, err := db.Prepare("SELECT value FROM meters WHERE id = $1 FOR UPDATE")
	if err != nil {
		return nil, err
	}
	set, err := db.Prepare("UPDATE meters SET value = $2 WHERE id = $1")
	if err != nil {
		return nil, err
	}
	return &Meters{db: db, lock: lock, set: set}, nil
}

func (m *Meters) Add(ctx context.Context, id, by int64) error {
	var v int64
	if err := m.lock.QueryRowContext(ctx, id).Scan(&v); err != nil { // expect: lockoutsidetx
		return err
	}
	_, err := m.set.ExecContext(ctx, id, v+by) // also: lostupdate
	return err
}
