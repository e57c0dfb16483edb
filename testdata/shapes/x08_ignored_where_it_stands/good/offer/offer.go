package offer

import "context"

type Offer struct {
	ID, Buyer int64
	Accepted  bool
}

type Notifier interface {
	Notify(ctx context.Context, o Offer) error
}
