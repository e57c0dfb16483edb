// Package invoices numbers the invoices of shops, with bun.
package invoices

import (
	"context"

	"github.com/uptrace/bun"
)

// Invoice is what a customer pays.
type Invoice struct {
	bun.BaseModel `bun:"table:invoices"`

	ID     int64 `bun:",pk,autoincrement"`
	ShopID int64
	Number int64
	Cents  int64
}

// Books hold invoices.
type Books struct{ db *bun.DB }

// NewBooks returns books over the database.
func NewBooks(db *bun.DB) *Books { return &Books{db: db} }

// Issue takes the number after the last one.
func (b *Books) Issue(ctx context.Context, shop, cents int64) (int64, error) {
	var last int64
	err := b.db.NewSelect().Model((*Invoice)(nil)).
		ColumnExpr("coalesce(max(number), 0)").
		Where("shop_id = ?", shop).
		Scan(ctx, &last)
	if err != nil {
		return 0, err
	}
	inv := &Invoice{ShopID: shop, Number: last + 1, Cents: cents}
	_, err = b.db.NewInsert().Model(inv).Exec(ctx) // want `whether this row of invoices is inserted was decided by the read`
	return inv.Number, err
}

// IssueInTurn lets one transaction of a shop at a time look for the last number.
//
//proof:fixes (*Books).Issue
func (b *Books) IssueInTurn(ctx context.Context, shop, cents int64) (number int64, err error) {
	err = b.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(?, ?::int)", 47, shop); err != nil {
			return err
		}
		var last int64
		err := tx.NewSelect().Model((*Invoice)(nil)).
			ColumnExpr("coalesce(max(number), 0)").
			Where("shop_id = ?", shop).
			Scan(ctx, &last)
		if err != nil {
			return err
		}
		inv := &Invoice{ShopID: shop, Number: last + 1, Cents: cents}
		number = inv.Number
		_, err = tx.NewInsert().Model(inv).Exec(ctx)
		return err
	})
	return number, err
}

// IssueCounted has a row that counts.
//
//proof:fixes (*Books).Issue
func (b *Books) IssueCounted(ctx context.Context, shop, cents int64) (number int64, err error) {
	err = b.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		err := tx.QueryRowContext(ctx, `
			INSERT INTO invoice_numbers (shop_id, last) VALUES (?, 1)
			ON CONFLICT (shop_id) DO UPDATE SET last = invoice_numbers.last + 1
			RETURNING last`, shop).Scan(&number)
		if err != nil {
			return err
		}
		_, err = tx.NewInsert().Model(&Invoice{ShopID: shop, Number: number, Cents: cents}).Exec(ctx)
		return err
	})
	return number, err
}

// Copy writes a row with what another one holds, under a number that is given.
func (b *Books) Copy(ctx context.Context, id, shop, number int64) error {
	var inv Invoice
	if err := b.db.NewSelect().Model(&inv).Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	_, err := b.db.NewInsert().Model(&Invoice{ShopID: shop, Number: number, Cents: inv.Cents}).Exec(ctx)
	return err
}
