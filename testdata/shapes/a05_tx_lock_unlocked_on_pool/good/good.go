package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Payouts struct{ pool *pgxpool.Pool }

// Pay holds the session around the transaction.
func (p *Payouts) Pay(ctx context.Context, batch int64) error {
	conn, err := p.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", batch); err != nil {
		return err
	}
	defer func() {
		if _, err := conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", batch); err != nil {
			conn.Conn().Close(context.WithoutCancel(ctx))
		}
	}()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE payouts SET paid = true WHERE batch_id = $1", batch); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
