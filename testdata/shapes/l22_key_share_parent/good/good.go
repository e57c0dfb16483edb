package good

import (
	"context"
	"errors"
	"github.com/jmoiron/sqlx"
)

type Comments struct{ db *sqlx.DB }

func (c *Comments) Add(ctx context.Context, post int64, body string) error {
	return withTx(ctx, c.db, func(tx *sqlx.Tx) error {
		var open bool
		if err := tx.QueryRowxContext(ctx, "SELECT open FROM posts WHERE id = $1 FOR KEY SHARE", post).Scan(&open); err != nil {
			return err
		}
		if !open {
			return errors.New("closed")
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO comments (post_id, body) VALUES ($1, $2)", post, body)
		return err
	})
}

func withTx(ctx context.Context, db *sqlx.DB, fn func(*sqlx.Tx) error) (err error) {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.Rollback()
			panic(p)
		}
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	return fn(tx)
}
