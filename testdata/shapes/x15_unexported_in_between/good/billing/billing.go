// Package billing has the exported methods that others call, and the unexported
// ones that do the work in their transaction.
package billing

import (
	"context"

	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgxpool"
)

type charger interface {
	Charge(ctx context.Context, url string) error
}

type invoices interface {
	Due(ctx context.Context, id int64) (int64, error)
	Count(ctx context.Context) (int64, error)
}

type Service struct {
	pool     *pgxpool.Pool
	trm      *manager.Manager
	charger  charger
	invoices invoices
	steps    []func(ctx context.Context) error
}

func New(pool *pgxpool.Pool, m *manager.Manager, c charger, i invoices) *Service {
	s := &Service{pool: pool, trm: m, charger: c, invoices: i}
	s.steps = append(s.steps, s.Check)
	return s
}

// Pay charges before its transaction, in which only an unexported method takes
// the lock.
func (s *Service) Pay(ctx context.Context, id int64, url string) error {
	if err := s.charge(ctx, url); err != nil {
		return err
	}
	return s.trm.Do(ctx, func(ctx context.Context) error { return s.pay(ctx, id) })
}

func (s *Service) charge(ctx context.Context, url string) error { return s.charger.Charge(ctx, url) }

func (s *Service) pay(ctx context.Context, id int64) error {
	_, err := s.invoices.Due(ctx, id)
	return err
}

// Close gives the transaction manager a method.
func (s *Service) Close(ctx context.Context) error { return s.trm.Do(ctx, s.First) }

func (s *Service) First(ctx context.Context) error { return s.pay(ctx, 1) }

// Run runs the methods that New has put into a list in one transaction.
func (s *Service) Run(ctx context.Context) error {
	return s.trm.Do(ctx, func(ctx context.Context) error {
		for _, step := range s.steps {
			if err := step(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) Check(ctx context.Context) error {
	_, err := s.invoices.Due(ctx, 2)
	return err
}
