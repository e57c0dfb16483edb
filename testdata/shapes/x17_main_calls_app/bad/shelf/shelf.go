// Package shelf counts books on shelves.
package shelf

import "context"

type Shelf struct {
	ID    int64
	Books int64
}

type Store interface {
	Shelf(ctx context.Context, id int64) (*Shelf, error)
	Save(ctx context.Context, s *Shelf) error
}

type Service struct{ store Store }

func New(s Store) *Service { return &Service{store: s} }

func (s *Service) Take(ctx context.Context, id, n int64) error {
	shelf, err := s.store.Shelf(ctx, id)
	if err != nil {
		return err
	}
	shelf.Books -= n
	return s.store.Save(ctx, shelf) // expect: lostupdate
}
