// Package quotas limits what tenants store, with queries as sqlc generates them.
package quotas

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrExceeded says that a tenant may not store that much.
var ErrExceeded = errors.New("the quota is exceeded")

// Meter knows what tenants store.
type Meter struct {
	pool *pgxpool.Pool
	q    *Queries
}

// NewMeter returns a meter over the pool.
func NewMeter(pool *pgxpool.Pool) *Meter { return &Meter{pool: pool, q: newQueries(pool)} }

// Add reads and writes in one transaction, and locks nothing.
func (m *Meter) Add(ctx context.Context, tenant, bytes int64) error {
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	q := m.q.WithTx(tx)
	quota, err := q.GetQuota(ctx, tenant)
	if err != nil {
		return err
	}
	if quota.Used+bytes > quota.Allowed {
		return ErrExceeded
	}
	if err := q.SetUsed(ctx, SetUsedParams{TenantID: tenant, Used: quota.Used + bytes}); err != nil { // want `used of quotas is set to a value made from the row read without a lock`
		return err
	}
	return tx.Commit(ctx)
}

// AddLocked has another query for the read.
//
//proof:fixes (*Meter).Add
func (m *Meter) AddLocked(ctx context.Context, tenant, bytes int64) error {
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		q := m.q.WithTx(tx)
		quota, err := q.GetQuotaForUpdate(ctx, tenant)
		if err != nil {
			return err
		}
		if quota.Used+bytes > quota.Allowed {
			return ErrExceeded
		}
		return q.SetUsed(ctx, SetUsedParams{TenantID: tenant, Used: quota.Used + bytes})
	})
}

// AddIfAllowed asks once, where it adds.
//
//proof:fixes (*Meter).Add
func (m *Meter) AddIfAllowed(ctx context.Context, tenant, bytes int64) error {
	n, err := m.q.Use(ctx, UseParams{TenantID: tenant, Used: bytes})
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrExceeded
	}
	return nil
}

// Recount sets what was counted elsewhere; the row is read to see that it is there.
func (m *Meter) Recount(ctx context.Context, tenant, bytes int64) error {
	if _, err := m.q.GetQuota(ctx, tenant); err != nil {
		return err
	}
	return m.q.SetUsed(ctx, SetUsedParams{TenantID: tenant, Used: bytes})
}
