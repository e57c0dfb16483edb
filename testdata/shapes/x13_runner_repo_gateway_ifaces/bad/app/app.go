// Package app closes accounts through interfaces.
package app

import "context"

type Tx interface {
	Atomic(ctx context.Context, fn func(ctx context.Context) error) error
}

type Accounts interface {
	Close(ctx context.Context, id int64) error
	Audit(ctx context.Context, id int64) error
}

type Notifier interface {
	Tell(ctx context.Context, id int64) error
}

type Service struct {
	Tx       Tx
	Accounts Accounts
	Notifier Notifier
}

func (s *Service) Close(ctx context.Context, id int64) error {
	return s.Tx.Atomic(ctx, func(ctx context.Context) error {
		if err := s.Accounts.Close(ctx, id); err != nil {
			return err
		}
		if err := s.Accounts.Audit(ctx, id); err != nil { // expect: poolintx
			return err
		}
		return s.Notifier.Tell(ctx, id) // expect: externalcall
	})
}
