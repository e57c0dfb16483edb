package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"log/slog"
)

type Tenants struct {
	pool *pgxpool.Pool
	log  *slog.Logger
}

func (t *Tenants) refreshAll(ctx context.Context, ids []int64) error {
	conn, err := t.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	for _, id := range ids {
		var ok bool
		if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock(12, $1)", id).Scan(&ok); err != nil {
			return err
		}
		if !ok {
			continue
		}
		_, failed := conn.Exec(ctx, "CALL refresh_tenant($1)", id)
		if _, err := conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(12, $1)", id); err != nil {
			conn.Conn().Close(context.WithoutCancel(ctx))
			return err
		}
		if failed != nil {
			t.log.Error("refresh", "tenant", id, "err", failed)
		}
	}
	return nil
}
