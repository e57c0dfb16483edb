package rt

import (
	"context"
)

type Policy struct {
	Max   int
	Again func(error) bool
}

func Do[T any](ctx context.Context, p Policy, fn func(context.Context) (T, error)) (T, error) {
	var zero T
	var last error
	for i := 0; i < p.Max; i++ {
		v, err := fn(ctx)
		if err == nil {
			return v, nil
		}
		if !p.Again(err) {
			return zero, err
		}
		last = err
	}
	return zero, last
}
