package good

import (
	"context"
	"database/sql/driver"
	"github.com/jmoiron/sqlx"
)

type Cron struct{ db *sqlx.DB }

func (c *Cron) exclusive(ctx context.Context, name string, fn func(context.Context) error) error {
	conn, err := c.db.Connx(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var ok bool
	if err := conn.GetContext(ctx, &ok, "SELECT pg_try_advisory_lock(hashtext($1))", name); err != nil {
		return err
	}
	if !ok {
		return nil
	}
	defer func() {
		ctx := context.WithoutCancel(ctx)
		if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock_all()"); err != nil {
			conn.Raw(func(any) error { return driver.ErrBadConn })
		}
	}()
	return fn(ctx)
}
