package bad

import (
	"context"
	"errors"
	"github.com/jmoiron/sqlx"
)

type Comments struct{ db *sqlx.DB }

func (c *Comments) Add(ctx context.Context, post int64, body string) error {
	var open bool
	if err := c.db.QueryRowxContext(ctx, "SELECT open FROM posts WHERE id = $1 FOR KEY SHARE", post).Scan(&open); err != nil { // expect: lockoutsidetx
		return err
	}
	if !open {
		return errors.New("closed")
	}
	_, err := c.db.ExecContext(ctx, "INSERT INTO comments (post_id, body) VALUES ($1, $2)", post, body)
	return err
}
