// Package imports reads what partners deliver: sqlx, a generic helper that
// runs a function in a transaction, and a service that uses the helper too.
package imports

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/pgtxvet/pgtxvet/testdata/poolintx/imports/clients"
)

// Sale is one line of a delivery.
type Sale struct {
	Client string
	Cents  int64
}

// Importer imports deliveries.
type Importer struct {
	db      *sqlx.DB
	clients *clients.Service
}

// New returns an importer over the database.
func New(db *sqlx.DB) *Importer { return &Importer{db: db, clients: clients.NewService(db)} }

const insertSale = `INSERT INTO sales (client_id, cents) VALUES ($1, $2)`

// Import stores all sales or none, and yet keeps the clients of a delivery
// that it has refused.
func (i *Importer) Import(ctx context.Context, sales []Sale) (int, error) {
	return clients.InTx(ctx, i.db, func(tx *sqlx.Tx) (int, error) {
		for n, s := range sales {
			client, err := i.clients.Ensure(ctx, s.Client) // want "outside the transaction"
			if err != nil {
				return n, err
			}
			if _, err := tx.ExecContext(ctx, insertSale, client, s.Cents); err != nil {
				return n, fmt.Errorf("sale %d: %w", n+1, err)
			}
		}
		return len(sales), nil
	})
}

// ImportWhole hands its transaction on.
//
//proof:fixes (*Importer).Import
func (i *Importer) ImportWhole(ctx context.Context, sales []Sale) (int, error) {
	return clients.InTx(ctx, i.db, func(tx *sqlx.Tx) (int, error) {
		for n, s := range sales {
			client, err := i.clients.EnsureTx(ctx, tx, s.Client)
			if err != nil {
				return n, err
			}
			if _, err := tx.ExecContext(ctx, insertSale, client, s.Cents); err != nil {
				return n, fmt.Errorf("sale %d: %w", n+1, err)
			}
		}
		return len(sales), nil
	})
}
