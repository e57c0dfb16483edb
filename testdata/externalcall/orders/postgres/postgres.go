// Package postgres stores orders.
package postgres

import (
	"context"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/externalcall/orders"
)

// Orders implements [orders.Repository].
type Orders struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

var _ orders.Repository = (*Orders)(nil)

// NewOrders returns a repository over the pool.
func NewOrders(pool *pgxpool.Pool) *Orders {
	return &Orders{pool: pool, getter: trmpgx.DefaultCtxGetter}
}

func (o *Orders) db(ctx context.Context) trmpgx.Tr { return o.getter.DefaultTrOrDB(ctx, o.pool) }

// Reserve takes one of the item and returns its price.
func (o *Orders) Reserve(ctx context.Context, item string) (cents int64, err error) {
	err = o.db(ctx).QueryRow(ctx, `
		UPDATE items SET quantity = quantity - 1 WHERE name = $1 AND quantity > 0
		RETURNING cents`, item).Scan(&cents)
	return cents, err
}

// Add stores an order.
func (o *Orders) Add(ctx context.Context, order orders.Order) (id int64, err error) {
	err = o.db(ctx).QueryRow(ctx, `INSERT INTO orders (item, cents) VALUES ($1, $2) RETURNING id`, order.Item, order.Cents).Scan(&id)
	return id, err
}

// MarkPaid notes the receipt.
func (o *Orders) MarkPaid(ctx context.Context, id int64, receipt string) error {
	_, err := o.db(ctx).Exec(ctx, `UPDATE orders SET receipt = $2 WHERE id = $1`, id, receipt)
	return err
}
