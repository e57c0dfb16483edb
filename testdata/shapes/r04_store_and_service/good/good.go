package good

import (
	"context"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/r04_store_and_service/good/store"
)

type Service struct{ seats *store.Seats }

func (s *Service) Book(ctx context.Context, seat int64, guest string) error {
	n, err := s.seats.Book(ctx, seat, guest)
	if err != nil {
		return err
	}
	if n == 0 {
		return store.ErrTaken
	}
	return nil
}

func (s *Service) Upgrade(ctx context.Context, seat int64, class string) error {
	return s.seats.ExecOne(ctx, `UPDATE seats SET class = $2 WHERE id = $1 AND class = $3`, seat, class, "economy")
}
