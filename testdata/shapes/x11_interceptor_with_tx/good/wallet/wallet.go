package wallet

import "context"

type Wallet struct{ ID, Cents int64 }

type Store interface {
	Lock(ctx context.Context, id int64) (Wallet, error)
	Save(ctx context.Context, w Wallet) error
}
