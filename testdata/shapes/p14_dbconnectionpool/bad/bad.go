// Package bad reads on the pool in a transaction. The pool has a long name.
package bad

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Organizations struct{ dbConnectionPool *pgxpool.Pool }

func (o *Organizations) Name(ctx context.Context) (name string, err error) {
	err = o.dbConnectionPool.QueryRow(ctx, `SELECT name FROM organizations LIMIT 1`).Scan(&name)
	return name, err
}

type Models struct {
	DBConnectionPool *pgxpool.Pool
	Organizations    *Organizations
}

type Service struct{ models *Models }

func (s *Service) Invite(ctx context.Context, email string) error {
	return pgx.BeginFunc(ctx, s.models.DBConnectionPool, func(tx pgx.Tx) error {
		name, err := s.models.Organizations.Name(ctx) // expect: poolintx
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO invitations (email, organization) VALUES ($1, $2)`, email, name)
		return err
	})
}
