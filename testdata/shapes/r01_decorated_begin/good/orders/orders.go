package orders

import (
	"context"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/r01_decorated_begin/good/db"
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
		if _, err := tx.ExecContext(ctx, "UPDATE orders SET status = 'paid' WHERE id = $1", id); err != nil {
			return "", err
		}
		return "paid", nil
	})
}

// A Ledger is kept in a database of its own.
type Ledger struct{ Pool db.Pool }

// Book books what was paid, once the shop has it.
func (o *Orders) Book(ctx context.Context, ledger *Ledger) error {
	_, err := db.InTx(ctx, o.pool, func(shopTx db.Tx) (int64, error) {
		return ledger.book(ctx, shopTx)
	})
	return err
}

func (l *Ledger) book(ctx context.Context, shopTx db.Tx) (int64, error) {
	return db.InTx(ctx, l.Pool, func(ledgerTx db.Tx) (int64, error) {
		var sum int64
		if err := shopTx.GetContext(ctx, &sum, "SELECT sum(amount) FROM orders WHERE status = 'paid'"); err != nil {
			return 0, err
		}
		_, err := ledgerTx.ExecContext(ctx, "UPDATE accounts SET turnover = $1 WHERE id = 1", sum)
		return sum, err
	})
}

func New(pool db.Pool) *Orders { return &Orders{pool: pool} }
