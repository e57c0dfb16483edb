package bad

import (
	"context"
	"database/sql"
	"time"
)

const leaseSQL = `
UPDATE work_items
SET lease_until = $2, lease_owner = $1, attempt = attempt + 1
WHERE id IN (
	SELECT id FROM work_items
	WHERE finished_at IS NULL AND (lease_until IS NULL OR lease_until < now())
	ORDER BY priority DESC, id
	FOR NO KEY UPDATE
	LIMIT 5
)
RETURNING id`

type Leaser struct{ db *sql.DB }

func (l *Leaser) Lease(ctx context.Context, worker string, ttl time.Duration) (ids []int64, err error) {
	rows, err := l.db.QueryContext(ctx, leaseSQL, worker, time.Now().Add(ttl)) // expect: skiplocked
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// Renew renews what the worker has already.
func (l *Leaser) Renew(ctx context.Context, worker string, ttl time.Duration) error {
	_, err := l.db.ExecContext(ctx, `
		UPDATE work_items SET lease_until = $2
		WHERE id IN (SELECT id FROM work_items WHERE lease_owner = $1 AND finished_at IS NULL ORDER BY id LIMIT 100 FOR UPDATE)`,
		worker, time.Now().Add(ttl))
	return err
}
