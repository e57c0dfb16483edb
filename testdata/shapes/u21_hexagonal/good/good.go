// Package good is a use case over ports, one of which locks.
package good

import (
	"context"
	"errors"
)

var ErrEmpty = errors.New("nothing left")

type Item struct {
	ID       int64
	Quantity int
}

type Items interface {
	ByID(ctx context.Context, id int64, lock bool) (Item, error)
	Update(ctx context.Context, it Item) error
}

type Transactor interface {
	WithinTx(ctx context.Context, fn func(ctx context.Context) error) error
}

type UseCase struct {
	items Items
	tx    Transactor
}

func NewUseCase(items Items, tx Transactor) *UseCase { return &UseCase{items, tx} }

func (u *UseCase) Reserve(ctx context.Context, id int64, n int) error {
	return u.tx.WithinTx(ctx, func(ctx context.Context) error {
		it, err := u.items.ByID(ctx, id, true)
		if err != nil {
			return err
		}
		if it.Quantity < n {
			return ErrEmpty
		}
		it.Quantity -= n
		return u.items.Update(ctx, it)
	})
}

func (u *UseCase) Left(ctx context.Context, id int64) (int, error) {
	it, err := u.items.ByID(ctx, id, false)
	return it.Quantity, err
}
