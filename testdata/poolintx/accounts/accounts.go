// Package accounts registers users: the service of a hexagonal program whose
// transaction travels in the context.
package accounts

import (
	"context"

	"github.com/avito-tech/go-transaction-manager/trm/v2"
)

// Users stores users.
type Users interface {
	Add(ctx context.Context, name string) (id int64, err error)
}

// Keys stores the keys that users log in with.
type Keys interface {
	Add(ctx context.Context, user int64, key string) error
	AddInTx(ctx context.Context, user int64, key string) error
}

// Service registers users.
type Service struct {
	tx    trm.Manager
	users Users
	keys  Keys
}

// NewService returns a service over its ports.
func NewService(tx trm.Manager, users Users, keys Keys) *Service {
	return &Service{tx: tx, users: users, keys: keys}
}

// Register stores the user and its key. The repository of keys does not look
// into the context: the key is written by another session, which cannot see
// the user.
func (s *Service) Register(ctx context.Context, name, key string) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		id, err := s.users.Add(ctx, name)
		if err != nil {
			return err
		}
		return s.keys.Add(ctx, id, key) // want "outside the transaction"
	})
}

// RegisterWhole stores both in one transaction.
//
//proof:fixes (*Service).Register
func (s *Service) RegisterWhole(ctx context.Context, name, key string) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		id, err := s.users.Add(ctx, name)
		if err != nil {
			return err
		}
		return s.keys.AddInTx(ctx, id, key)
	})
}
