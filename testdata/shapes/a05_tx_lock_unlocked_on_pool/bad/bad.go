package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Payouts struct{ pool *pgxpool.Pool }

// Pay locks in the transaction and unlocks on another session.
func (p *Payouts) Pay(ctx context.Context, batch int64) error {
	tx, err := p.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_lock($1)", batch); err != nil { // expect: advisorypool
		return err
	}
	defer p.pool.Exec(ctx, "SELECT pg_advisory_unlock($1)", batch) // expect: advisorypool
	if _, err := tx.Exec(ctx, "UPDATE payouts SET paid = true WHERE batch_id = $1", batch); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
