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

// Charge asks the bank in the transaction.
func (s *Service) Charge(ctx context.Context, id, cents int64) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		if err := s.invoices.Pay(ctx, id); err != nil {
			return err
		}
		return s.bank.Charge(ctx, cents) // expect: externalcall
	})
}
