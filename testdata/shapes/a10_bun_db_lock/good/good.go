package good

import (
	"context"
	"database/sql/driver"
	"github.com/uptrace/bun"
)

type Importer struct{ db *bun.DB }

func (i *Importer) Run(ctx context.Context) error {
	conn, err := i.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.NewRaw("SELECT pg_advisory_lock(?)", 900).Exec(ctx); err != nil {
		return err
	}
	defer func() {
		if _, err := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(?)", 900); err != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
	}()
	_, err = i.db.NewRaw("CALL import_feed()").Exec(ctx)
	return err
}
