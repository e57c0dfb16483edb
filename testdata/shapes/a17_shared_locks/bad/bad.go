package bad

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Snapshots struct{ pool *pgxpool.Pool }

func (s *Snapshots) Read(ctx context.Context, id int64, fn func() error) error {
	if _, err := s.pool.Exec(ctx, "SELECT pg_advisory_lock_shared($1)", id); err != nil { // expect: advisorypool
		return err
	}
	err := fn()
	_, uerr := s.pool.Exec(ctx, "SELECT pg_advisory_unlock_shared($1)", id) // also: advisorypool
	return errors.Join(err, uerr)
}
