// Package bad is a use case over ports: what they do is seen in cmd.
package bad

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
	ByID(ctx context.Context, id int64) (Item, error)
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
		it, err := u.items.ByID(ctx, id)
		if err != nil {
			return err
		}
		if it.Quantity < n {
			return ErrEmpty
		}
		it.Quantity -= n
		return u.items.Update(ctx, it) // expect: lostupdate
	})
}

func (u *UseCase) Return(ctx context.Context, id int64, n int) error {
	it, err := u.items.ByID(ctx, id)
	if err != nil {
		return err
	}
	it.Quantity += n
	return u.items.Update(ctx, it) // expect: lostupdate
}
