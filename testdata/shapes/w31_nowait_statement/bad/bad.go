package bad

import (
	"context"
	"database/sql"

	"github.com/lib/pq"
)

// ClaimSync claims the next sync job of a tenant.
func ClaimSync(ctx context.Context, db *sql.DB, tenant int64) (id int64, err error) {
	err = db.QueryRowContext(ctx, claimSync, tenant).Scan(&id) // expect: skiplocked
	if e, ok := err.(*pq.Error); ok && e.Code == "55P03" {
		return 0, nil
	}
	return id, err
}

const claimSync = `
	UPDATE sync_jobs
	SET status = 'running', started_at = now()
	WHERE id = (
		SELECT id FROM sync_jobs
		WHERE tenant_id = $1 AND status = 'queued'
		ORDER BY created_at
		FETCH FIRST 1 ROW ONLY
		FOR UPDATE NOWAIT
	)
	RETURNING id`
