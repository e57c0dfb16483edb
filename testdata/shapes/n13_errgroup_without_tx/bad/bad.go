package bad

import (
	"context"
	"database/sql"
	"golang.org/x/sync/errgroup"
)

func Rebuild(ctx context.Context, db *sql.DB, shards []int64) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for _, s := range shards {
		g.Go(func() error {
			if _, err := db.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", s); err != nil { // expect: notxeffect
				return err
			}
			_, err := db.ExecContext(ctx, "UPDATE shard_stats SET n = (SELECT count(*) FROM rows WHERE shard = $1) WHERE shard = $1", s)
			return err
		})
	}
	return g.Wait()
}
