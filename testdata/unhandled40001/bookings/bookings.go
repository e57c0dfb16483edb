// Package bookings books rooms: the service of a hexagonal program, its
// transaction in the context, and retry-go.
package bookings

import (
	"context"
	"errors"
	"time"

	"github.com/avast/retry-go/v4"
	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/settings"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrFull says that no room is free on that day.
var ErrFull = errors.New("no room is free")

// Repository stores bookings.
type Repository interface {
	Count(ctx context.Context, day int) (int, error)
	Add(ctx context.Context, day int, guest string) error
}

// Service books rooms.
type Service struct {
	tx    trm.Manager
	repo  Repository
	rooms int
}

// NewService returns a service for a house with that many rooms.
func NewService(tx trm.Manager, repo Repository, rooms int) *Service {
	return &Service{tx: tx, repo: repo, rooms: rooms}
}

var serializable = trmpgx.MustSettings(settings.Must(), trmpgx.WithTxOptions(pgx.TxOptions{IsoLevel: pgx.Serializable}))

// Book books a room for one guest. Nobody between the handler and the manager
// tries again.
func (s *Service) Book(ctx context.Context, day int, guest string) error {
	return s.tx.DoWithSettings(ctx, serializable, func(ctx context.Context) error { // want "40001"
		return s.book(ctx, day, guest)
	})
}

// BookAgain tries again when, and only when, PostgreSQL asks for it.
//
//proof:fixes (*Service).Book
func (s *Service) BookAgain(ctx context.Context, day int, guest string) error {
	return retry.Do(func() error {
		return s.tx.DoWithSettings(ctx, serializable, func(ctx context.Context) error {
			return s.book(ctx, day, guest)
		})
	}, conflicts(ctx)...)
}

// BookStay books several days. Besides the runner around the transaction there
// is one in it, which repeats statements of a transaction that PostgreSQL has
// given up already. The outer one gets to see 25P02.
func (s *Service) BookStay(ctx context.Context, from, to int, guest string) error {
	return retry.Do(func() error {
		return s.tx.DoWithSettings(ctx, serializable, func(ctx context.Context) error {
			for day := from; day <= to; day++ {
				err := retry.Do(func() error { return s.book(ctx, day, guest) }, conflicts(ctx)...) // want "40001"
				if err != nil {
					return err
				}
			}
			return nil
		})
	}, conflicts(ctx)...)
}

// BookStayAgain has the outer one only.
//
//proof:fixes (*Service).BookStay
func (s *Service) BookStayAgain(ctx context.Context, from, to int, guest string) error {
	return retry.Do(func() error {
		return s.tx.DoWithSettings(ctx, serializable, func(ctx context.Context) error {
			for day := from; day <= to; day++ {
				if err := s.book(ctx, day, guest); err != nil {
					return err
				}
			}
			return nil
		})
	}, conflicts(ctx)...)
}

func (s *Service) book(ctx context.Context, day int, guest string) error {
	n, err := s.repo.Count(ctx, day)
	if err != nil {
		return err
	}
	if n >= s.rooms {
		return ErrFull
	}
	return s.repo.Add(ctx, day, guest)
}

func conflicts(ctx context.Context) []retry.Option {
	return []retry.Option{
		retry.Context(ctx), retry.Attempts(4), retry.LastErrorOnly(true),
		retry.DelayType(retry.FixedDelay), retry.Delay(time.Millisecond),
		retry.RetryIf(func(err error) bool {
			e, ok := errors.AsType[*pgconn.PgError](err)
			return ok && (e.Code == "40001" || e.Code == "40P01")
		}),
	}
}
