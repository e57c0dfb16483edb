package port

import (
	"context"
)

type Notifier interface {
	Notify(ctx context.Context, user int64, text string) error
}
