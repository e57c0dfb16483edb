// Package billing has the exported methods that others call, and the unexported
// ones that do the work.
package billing

import (
	"context"

	"github.com/jackc/pgx/v5"
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
	charger  charger
	invoices invoices
}

func New(pool *pgxpool.Pool, c charger, i invoices) *Service {
	return &Service{pool: pool, charger: c, invoices: i}
}

func (s *Service) Pay(ctx context.Context, id int64, url string) error {
	return s.pay(ctx, id, url)
}

func (s *Service) pay(ctx context.Context, id int64, url string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, `UPDATE invoices SET paid = true WHERE id = $1`, id); err != nil {
		return err
	}
	if err := s.charger.Charge(ctx, url); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit(ctx)
}

func (s *Service) Close(ctx context.Context) error { return s.close(ctx) }

func (s *Service) close(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		n, err := s.invoices.Count(ctx) // expect: poolintx
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO closings (invoices) VALUES ($1)`, n)
		return err
	})
}

// Remind takes the row's lock in no transaction.
func (s *Service) Remind(ctx context.Context, id int64) error {
	return s.remind(ctx, id) // expect: lockoutsidetx
}

func (s *Service) remind(ctx context.Context, id int64) error {
	_, err := s.invoices.Due(ctx, id) // or: lockoutsidetx
	return err
}
