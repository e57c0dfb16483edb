// Package accounts serves requests.
package accounts

import (
	"context"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/s36_user_in_context/bad/store"
)

// Service serves requests.
type Service struct{ accounts *store.Accounts }

// Close closes an account.
func (s *Service) Close(ctx context.Context, id int) error {
	return s.accounts.Close(ctx, id)
}
