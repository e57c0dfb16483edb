package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const nextJobs = `
WITH picked AS (
	SELECT id FROM exports WHERE state = 'new' ORDER BY id LIMIT 20 FOR UPDATE SKIP LOCKED
)
SELECT e.id, e.path FROM exports e JOIN picked p ON p.id = e.id`

type Export struct {
	ID   int64
	Path string
}

func Claim(ctx context.Context, pool *pgxpool.Pool) ([]Export, error) {
	rows, err := pool.Query(ctx, nextJobs) // expect: lockoutsidetx
	if err != nil {
		return nil, err
	}
	jobs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Export])
	if err != nil {
		return nil, err
	}
	for _, j := range jobs {
		if _, err := pool.Exec(ctx, `UPDATE exports SET state = 'running' WHERE id = $1`, j.ID); err != nil {
			return nil, err
		}
	}
	return jobs, nil
}
