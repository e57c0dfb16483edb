// Package fixes sets a lock timeout for a session that has no pool behind it.
package fixes

import (
	"context"

	"github.com/jackc/pgx/v5"
)

func reindex(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `SET  local lock_timeout = '2s'`); err != nil { // want "outside a transaction"
		return err
	}
	_, err = conn.Exec(ctx, `REINDEX TABLE CONCURRENTLY orders`)
	return err
}
