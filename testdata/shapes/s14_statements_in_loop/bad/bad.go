package bad

import (
	"context"
	"database/sql"
)

var tuning = []string{
	"SET work_mem = '512MB'",
	"SET enable_seqscan = off",
	"SET max_parallel_workers_per_gather = 8",
}

func Stats(ctx context.Context, db *sql.DB) (n int64, err error) {
	for _, q := range tuning {
		if _, err := db.ExecContext(ctx, q); err != nil { // expect: sessionset
			return 0, err
		}
	}
	err = db.QueryRowContext(ctx, "SELECT count(DISTINCT user_id) FROM events").Scan(&n)
	return n, err
}
