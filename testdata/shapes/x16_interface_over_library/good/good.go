// Package good sends nothing with a transaction open.
package good

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x16_interface_over_library/good/answers"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x16_interface_over_library/good/hook"
)

type Service struct {
	pool  *pgxpool.Pool
	hooks *hook.Client
}

func New(pool *pgxpool.Pool) *Service {
	return &Service{pool: pool, hooks: hook.New(answers.Table{})}
}

// Deliver asks the only client of this program, which answers from a table.
func (s *Service) Deliver(ctx context.Context, id int64, url string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.hooks.Call(ctx, url); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE deliveries SET done = true WHERE id = $1`, id)
		return err
	})
}
