package bad

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
		if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock(12, $1)", id).Scan(&ok); err != nil { // expect: advisorypool
			return err
		}
		if !ok {
			continue
		}
		if _, err := conn.Exec(ctx, "CALL refresh_tenant($1)", id); err != nil {
			t.log.Error("refresh", "tenant", id, "err", err)
			continue // or: advisorypool
		}
		if _, err := conn.Exec(ctx, "SELECT pg_advisory_unlock(12, $1)", id); err != nil {
			return err
		}
	}
	return nil
}
