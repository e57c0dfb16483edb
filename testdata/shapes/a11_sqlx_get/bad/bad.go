package bad

import (
	"context"
	"github.com/jmoiron/sqlx"
)

type Cron struct{ db *sqlx.DB }

func (c *Cron) exclusive(ctx context.Context, name string, fn func(context.Context) error) error {
	var ok bool
	if err := c.db.GetContext(ctx, &ok, "SELECT pg_try_advisory_lock(hashtext($1))", name); err != nil { // expect: advisorypool
		return err
	}
	if !ok {
		return nil
	}
	defer c.db.MustExecContext(ctx, "SELECT pg_advisory_unlock(hashtext($1))", name) // also: advisorypool
	return fn(ctx)
}
