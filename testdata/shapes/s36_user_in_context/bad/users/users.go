// Package users keeps the user of a request in its context.
package users

import "context"

type key struct{}

// User is who asks.
type User struct {
	ID   int
	Name string
}

// With returns a context of the user.
func With(ctx context.Context, u User) context.Context { return context.WithValue(ctx, key{}, u) }

// From returns the user of a context.
func From(ctx context.Context) (User, bool) {
	u, ok := ctx.Value(key{}).(User)
	return u, ok
}
