// Package good changes an entity in a function that it gives to the repository.
package good

import (
	"context"
	"errors"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u44_update_callback/good/repo"
)

var ErrTooMany = errors.New("too many")

type Service struct{ rooms *repo.Rooms }

func (s *Service) Enter(ctx context.Context, id int64, n int) error {
	return s.rooms.Update(ctx, id, func(ctx context.Context, r *repo.Room) (*repo.Room, error) {
		if r.People+n > r.Capacity {
			return nil, ErrTooMany
		}
		r.People += n
		return r, nil
	})
}
