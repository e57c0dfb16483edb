package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Sync locks each row of a batch, then writes in a second round trip.
func Sync(ctx context.Context, pool *pgxpool.Pool, ids []int64) error {
	b := &pgx.Batch{}
	for _, id := range ids {
		b.Queue(`SELECT rev FROM docs WHERE id = $1 FOR UPDATE`, id)
	}
	res := pool.SendBatch(ctx, b) // expect: lockoutsidetx
	revs := make([]int64, len(ids))
	for i := range ids {
		if err := res.QueryRow().Scan(&revs[i]); err != nil {
			res.Close()
			return err
		}
	}
	if err := res.Close(); err != nil {
		return err
	}
	for i, id := range ids {
		if _, err := pool.Exec(ctx, `UPDATE docs SET rev = $2 WHERE id = $1`, id, revs[i]+1); err != nil { // also: lostupdate
			return err
		}
	}
	return nil
}
