package good

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
			return inTx(ctx, db, func(tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", s); err != nil {
					return err
				}
				_, err := tx.ExecContext(ctx, "UPDATE shard_stats SET n = (SELECT count(*) FROM rows WHERE shard = $1) WHERE shard = $1", s)
				return err
			})
		})
	}
	return g.Wait()
}

func inTx(ctx context.Context, db *sql.DB, fn func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Touch locks inside the statement that writes.
func Touch(ctx context.Context, db *sql.DB, shard int64) error {
	_, err := db.ExecContext(ctx, "WITH l AS MATERIALIZED (SELECT pg_advisory_xact_lock($1)) UPDATE shard_stats SET touched = now() FROM l WHERE shard = $1", shard)
	return err
}
