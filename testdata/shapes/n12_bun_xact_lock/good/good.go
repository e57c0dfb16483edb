package good

import (
	"context"
	"github.com/uptrace/bun"
)

type Counter struct{ db *bun.DB }

func lock(ctx context.Context, db bun.IDB, key int64) error {
	_, err := db.NewRaw("SELECT pg_advisory_xact_lock(?)", key).Exec(ctx)
	return err
}

func (c *Counter) Next(ctx context.Context, key int64) (n int64, err error) {
	err = c.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if err := lock(ctx, tx, key); err != nil {
			return err
		}
		if err := tx.NewRaw("SELECT coalesce(max(n), 0) + 1 FROM numbers WHERE key = ?", key).Scan(ctx, &n); err != nil {
			return err
		}
		_, err := tx.NewRaw("INSERT INTO numbers (key, n) VALUES (?, ?)", key, n).Exec(ctx)
		return err
	})
	return n, err
}
