// Package invites invites people: the service of a hexagonal program, its
// transaction in the context.
package invites

import (
	"context"
	"errors"

	"github.com/avito-tech/go-transaction-manager/trm/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/settings"
)

// ErrExists says that the address is known.
var ErrExists = errors.New("address is known")

// Repository stores people and invitations.
type Repository interface {
	AddPerson(ctx context.Context, address string) (id int64, err error)
	FindPerson(ctx context.Context, address string) (id int64, err error)
	AddInvite(ctx context.Context, person int64) error
}

// Service invites people.
type Service struct {
	tx   trm.Manager
	repo Repository
}

// NewService returns a service over its ports.
func NewService(tx trm.Manager, repo Repository) *Service { return &Service{tx: tx, repo: repo} }

// Invite looks the person up when it is there already, in a transaction that
// PostgreSQL has given up.
func (s *Service) Invite(ctx context.Context, address string) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		id, err := s.repo.AddPerson(ctx, address)
		if errors.Is(err, ErrExists) {
			id, err = s.repo.FindPerson(ctx, address) // want "25P02"
		}
		if err != nil {
			return err
		}
		return s.repo.AddInvite(ctx, id)
	})
}

var nested = settings.Must(settings.WithPropagation(trm.PropagationNested))

// InviteKnown adds the person behind a savepoint.
//
//proof:fixes (*Service).Invite
func (s *Service) InviteKnown(ctx context.Context, address string) error {
	return s.tx.Do(ctx, func(ctx context.Context) (err error) {
		var id int64
		err = s.tx.DoWithSettings(ctx, nested, func(ctx context.Context) error {
			id, err = s.repo.AddPerson(ctx, address)
			return err
		})
		if errors.Is(err, ErrExists) {
			id, err = s.repo.FindPerson(ctx, address)
		}
		if err != nil {
			return err
		}
		return s.repo.AddInvite(ctx, id)
	})
}

// InviteOrFind is right as well: the transaction is over when the person is
// looked up.
func (s *Service) InviteOrFind(ctx context.Context, address string) (id int64, err error) {
	err = s.tx.Do(ctx, func(ctx context.Context) error {
		if id, err = s.repo.AddPerson(ctx, address); err != nil {
			return err
		}
		return s.repo.AddInvite(ctx, id)
	})
	if errors.Is(err, ErrExists) {
		return s.repo.FindPerson(ctx, address)
	}
	return id, err
}
