package bad

import (
	"context"
	"github.com/uptrace/bun"
)

type Counter struct{ db *bun.DB }

func (c *Counter) Next(ctx context.Context, key int64) (n int64, err error) {
	if _, err = c.db.NewRaw("SELECT pg_advisory_xact_lock(?)", key).Exec(ctx); err != nil { // expect: notxeffect
		return 0, err
	}
	err = c.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if err := tx.NewRaw("SELECT coalesce(max(n), 0) + 1 FROM numbers WHERE key = ?", key).Scan(ctx, &n); err != nil {
			return err
		}
		_, err := tx.NewRaw("INSERT INTO numbers (key, n) VALUES (?, ?)", key, n).Exec(ctx) // also: lostupdate
		return err
	})
	return n, err
}
