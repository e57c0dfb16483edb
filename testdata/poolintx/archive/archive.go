// Package archive moves old events out of the shop's database into the
// warehouse's: two pgx pools, of two databases.
package archive

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Mover moves events.
type Mover struct{ shop, warehouse *pgxpool.Pool }

// Open connects to both databases.
func Open(ctx context.Context, shopDSN, warehouseDSN string) (*Mover, error) {
	shop, err := pgxpool.New(ctx, shopDSN)
	if err != nil {
		return nil, fmt.Errorf("shop: %w", err)
	}
	warehouse, err := pgxpool.New(ctx, warehouseDSN)
	if err != nil {
		shop.Close()
		return nil, fmt.Errorf("warehouse: %w", err)
	}
	return &Mover{shop: shop, warehouse: warehouse}, nil
}

// New returns a mover from one pool to another.
func New(shop, warehouse *pgxpool.Pool) *Mover { return &Mover{shop: shop, warehouse: warehouse} }

// Move is right: the warehouse's pool is of another database, and no
// transaction could hold both. The warehouse ignores what it already has,
// should the commit fail.
func (m *Mover) Move(ctx context.Context) (n int, err error) {
	tx, err := m.shop.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback(ctx)
	rows, err := tx.Query(ctx, `DELETE FROM events WHERE old RETURNING id, what`)
	if err != nil {
		return 0, err
	}
	type event struct {
		ID   int64
		What string
	}
	events, err := pgx.CollectRows(rows, pgx.RowToStructByPos[event])
	if err != nil {
		return 0, err
	}
	for _, e := range events {
		if _, err := m.warehouse.Exec(ctx, `INSERT INTO archived (id, what) VALUES ($1, $2) ON CONFLICT DO NOTHING`, e.ID, e.What); err != nil {
			return 0, err
		}
	}
	return len(events), tx.Commit(ctx)
}
