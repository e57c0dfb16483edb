package good

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
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var v int64
	if err := tx.StmtContext(ctx, m.lock).QueryRowContext(ctx, id).Scan(&v); err != nil {
		return err
	}
	if _, err := tx.StmtContext(ctx, m.set).ExecContext(ctx, id, v+by); err != nil {
		return err
	}
	return tx.Commit()
}
