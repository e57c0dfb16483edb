// Package bad has a mutex that keeps nobody out of the row.
package bad

import (
	"context"
	"database/sql"
)

type Meter struct{ db *sql.DB }

func (m *Meter) Add(ctx context.Context, id, n int64) error {
	var v int64
	if err := m.db.QueryRowContext(ctx, `SELECT value FROM meters WHERE id = $1`, id).Scan(&v); err != nil {
		return err
	}
	_, err := m.db.ExecContext(ctx, `UPDATE meters SET value = $1 WHERE id = $2`, v+n, id) // expect: lostupdate
	return err
}

// AddTo counts in goroutines.
func (m *Meter) AddTo(ctx context.Context, ids []int64, n int64) {
	for _, id := range ids {
		go func() {
			var v int64
			if err := m.db.QueryRowContext(ctx, `SELECT total FROM gauges WHERE id = $1`, id).Scan(&v); err != nil {
				return
			}
			v = max(v+n, 0)
			_, _ = m.db.ExecContext(ctx, `UPDATE gauges SET total = $1 WHERE id = $2`, v, id) // expect: lostupdate
		}()
	}
}
