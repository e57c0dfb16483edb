// Package app charges invoices.
package app

import (
	"context"
	"database/sql"
)

// A Transactor runs functions in transactions.
type Transactor interface {
	Do(ctx context.Context, fn func(ctx context.Context) error, opts ...*sql.TxOptions) error
}

// Invoices keeps invoices.
type Invoices interface {
	Pay(ctx context.Context, id int64) error
}

// A Bank takes money.
type Bank interface {
	Charge(ctx context.Context, cents int64) error
}

// A Service charges invoices.
type Service struct {
	tx       Transactor
	invoices Invoices
	bank     Bank
}

// New returns a service.
func New(tx Transactor, invoices Invoices, bank Bank) *Service {
	return &Service{tx: tx, invoices: invoices, bank: bank}
}

// Charge asks the bank when the transaction is over.
func (s *Service) Charge(ctx context.Context, id, cents int64) error {
	err := s.tx.Do(ctx, func(ctx context.Context) error {
		return s.tx.Do(ctx, func(ctx context.Context) error {
			return s.invoices.Pay(ctx, id)
		})
	})
	if err != nil {
		return err
	}
	return s.bank.Charge(ctx, cents)
}
