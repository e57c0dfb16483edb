// Package payments books payments.
package payments

import (
	up "github.com/upper/db/v4"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/lib_upper/bad/data"
)

// Service books payments.
type Service struct{ invoices data.Invoice }

// Pay reads beside its transaction and writes what it has made of it.
func (s *Service) Pay(id, amount int) error {
	return data.Upper.Tx(func(tx up.Session) error {
		invoice, err := s.invoices.Get(id) // expect: poolintx
		if err != nil {
			return err
		}
		invoice.Paid += amount
		return s.invoices.Update(tx, *invoice) // expect: lostupdate
	})
}

// Merge removes beside its transaction.
func (s *Service) Merge(into data.Invoice, id int) error {
	return data.Upper.Tx(func(tx up.Session) error {
		if err := s.invoices.Update(tx, into); err != nil {
			return err
		}
		return s.invoices.Remove(id) // expect: poolintx
	})
}
