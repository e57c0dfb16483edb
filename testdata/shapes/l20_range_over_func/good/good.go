package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"iter"
)

type Feed struct{ pool *pgxpool.Pool }

func pending(ctx context.Context, tx pgx.Tx) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		rows, err := tx.Query(ctx, `SELECT id FROM posts WHERE published_at IS NULL FOR UPDATE SKIP LOCKED`)
		if err != nil {
			yield(0, err)
			return
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			yield(0, err)
			return
		}
		for _, id := range ids {
			if !yield(id, nil) {
				return
			}
		}
	}
}

func (f *Feed) PublishAll(ctx context.Context) error {
	return pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		for id, err := range pending(ctx, tx) {
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `UPDATE posts SET published_at = now() WHERE id = $1`, id); err != nil {
				return err
			}
		}
		return nil
	})
}
