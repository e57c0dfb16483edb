// Package invoices writes invoices: queries as a generator writes them.
package invoices

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Line is what an invoice asks money for.
type Line struct {
	Text  string
	Cents int64
}

// Office writes invoices.
type Office struct {
	pool *pgxpool.Pool
	q    *Queries
}

// NewOffice returns an office over the pool.
func NewOffice(pool *pgxpool.Pool) *Office { return &Office{pool: pool, q: New(pool)} }

// Write asks for the sum on the pool, where the lines are not to be seen.
func (o *Office) Write(ctx context.Context, lines []Line) (id int64, err error) {
	err = pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		q := o.q.WithTx(tx)
		if id, err = addAll(ctx, q, lines); err != nil {
			return err
		}
		sum, err := o.q.SumLines(ctx, id) // want "outside the transaction"
		if err != nil {
			return err
		}
		return q.SetTotal(ctx, SetTotalParams{ID: id, Total: sum})
	})
	return id, err
}

// WriteInTx asks for it in the transaction.
//
//proof:fixes (*Office).Write
func (o *Office) WriteInTx(ctx context.Context, lines []Line) (id int64, err error) {
	err = pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		q := o.q.WithTx(tx)
		if id, err = addAll(ctx, q, lines); err != nil {
			return err
		}
		sum, err := q.SumLines(ctx, id)
		if err != nil {
			return err
		}
		return q.SetTotal(ctx, SetTotalParams{ID: id, Total: sum})
	})
	return id, err
}

func addAll(ctx context.Context, q *Queries, lines []Line) (id int64, err error) {
	if id, err = q.AddInvoice(ctx); err != nil {
		return 0, err
	}
	for _, l := range lines {
		if err := q.AddLine(ctx, AddLineParams{InvoiceID: id, Text: l.Text, Cents: l.Cents}); err != nil {
			return 0, err
		}
	}
	return id, nil
}
