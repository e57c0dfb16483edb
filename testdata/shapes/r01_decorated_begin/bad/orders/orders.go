package orders

import (
	"context"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/r01_decorated_begin/bad/db"
)

// Orders are the orders of a shop.
type Orders struct{ pool db.Pool }

func (o *Orders) Pay(ctx context.Context, id int64) (string, error) {
	return db.InTx(ctx, o.pool, func(tx db.Tx) (string, error) {
		var status string
		if err := tx.GetContext(ctx, &status, "SELECT status FROM orders WHERE id = $1 FOR UPDATE", id); err != nil {
			return "", err
		}
		if status == "paid" {
			return status, nil
		}
		if _, err := o.pool.ExecContext(ctx, "UPDATE orders SET status = 'paid' WHERE id = $1", id); err != nil { // expect: poolintx
			return "", err
		}
		return "paid", nil
	})
}

func New(pool db.Pool) *Orders { return &Orders{pool: pool} }
