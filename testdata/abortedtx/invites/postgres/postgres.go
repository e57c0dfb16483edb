// Package postgres stores people and invitations.
package postgres

import (
	"context"
	"errors"
	"fmt"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/invites"
)

const uniqueViolation = "23505"

// Invites implements [invites.Repository].
type Invites struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

var _ invites.Repository = (*Invites)(nil)

// New returns a repository over the pool.
func New(pool *pgxpool.Pool) *Invites {
	return &Invites{pool: pool, getter: trmpgx.DefaultCtxGetter}
}

func (i *Invites) db(ctx context.Context) trmpgx.Tr { return i.getter.DefaultTrOrDB(ctx, i.pool) }

// AddPerson stores a person.
func (i *Invites) AddPerson(ctx context.Context, address string) (id int64, err error) {
	err = i.db(ctx).QueryRow(ctx, `INSERT INTO people (address) VALUES ($1) RETURNING id`, address).Scan(&id)
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == uniqueViolation {
		return 0, fmt.Errorf("%s: %w", address, invites.ErrExists)
	}
	return id, err
}

// FindPerson looks a person up.
func (i *Invites) FindPerson(ctx context.Context, address string) (id int64, err error) {
	err = i.db(ctx).QueryRow(ctx, `SELECT id FROM people WHERE address = $1`, address).Scan(&id)
	return id, err
}

// AddInvite stores an invitation.
func (i *Invites) AddInvite(ctx context.Context, person int64) error {
	_, err := i.db(ctx).Exec(ctx, `INSERT INTO invites (person_id) VALUES ($1)`, person)
	return err
}
