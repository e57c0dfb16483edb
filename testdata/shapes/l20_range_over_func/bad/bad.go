package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"iter"
)

type Feed struct{ pool *pgxpool.Pool }

func (f *Feed) pending(ctx context.Context) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		rows, err := f.pool.Query(ctx, `SELECT id FROM posts WHERE published_at IS NULL FOR UPDATE SKIP LOCKED`) // expect: lockoutsidetx
		if err != nil {
			yield(0, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			var id int64
			err := rows.Scan(&id)
			if !yield(id, err) {
				return
			}
		}
	}
}

func (f *Feed) PublishAll(ctx context.Context) error {
	for id, err := range f.pending(ctx) { // or: lockoutsidetx
		if err != nil {
			return err
		}
		if _, err := f.pool.Exec(ctx, `UPDATE posts SET published_at = now() WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return nil
}
