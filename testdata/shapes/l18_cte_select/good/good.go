package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const nextJobs = `
WITH picked AS (
	SELECT id FROM exports WHERE state = 'new' ORDER BY id LIMIT 20 FOR UPDATE SKIP LOCKED
)
UPDATE exports e SET state = 'running' FROM picked p WHERE p.id = e.id
RETURNING e.id, e.path`

const archive = `
WITH gone AS (
	DELETE FROM exports WHERE id IN (SELECT id FROM exports WHERE state = 'done' LIMIT 100 FOR UPDATE SKIP LOCKED) RETURNING *
)
INSERT INTO exports_old SELECT * FROM gone`

type Export struct {
	ID   int64
	Path string
}

func Claim(ctx context.Context, pool *pgxpool.Pool) ([]Export, error) {
	rows, err := pool.Query(ctx, nextJobs)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Export])
}

func Archive(ctx context.Context, pool *pgxpool.Pool) error {
	if _, err := pool.Exec(ctx, archive); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, `BEGIN; SELECT 1 FROM exports_old WHERE id = 1 FOR UPDATE; DELETE FROM exports_old WHERE id = 1; COMMIT`)
	return err
}
