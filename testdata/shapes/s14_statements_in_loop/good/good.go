package good

import (
	"context"
	"database/sql"
)

var tuning = []string{
	"SET LOCAL work_mem = '512MB'",
	"SET LOCAL enable_seqscan = off",
	"SET LOCAL max_parallel_workers_per_gather = 8",
}

func Stats(ctx context.Context, db *sql.DB) (n int64, err error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	for _, q := range tuning {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return 0, err
		}
	}
	if err = tx.QueryRowContext(ctx, "SELECT count(DISTINCT user_id) FROM events").Scan(&n); err != nil {
		return 0, err
	}
	return n, tx.Commit()
}
