package bad

import (
	"context"
	"fmt"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/r04_store_and_service/bad/store"
)

type Service struct{ seats *store.Seats }

func (s *Service) Book(ctx context.Context, seat int64, guest string) error {
	_, err := s.seats.Book(ctx, seat, guest) // expect: rowsaffected
	if err != nil {
		return fmt.Errorf("book: %w", err)
	}
	return nil
}

func (s *Service) Enter(ctx context.Context, seat int64) error {
	if _, err := s.seats.Enter(ctx, seat); err != nil { // expect: rowsaffected
		return err
	}
	return nil
}

func (s *Service) Upgrade(ctx context.Context, seat int64, class string) error {
	return s.seats.Exec(ctx, `UPDATE seats SET class = $2 WHERE id = $1 AND class = $3`, seat, class, "economy") // expect: rowsaffected
}

func (s *Service) Hold(ctx context.Context, seat int64) error { return s.seats.Hold(ctx, seat, 1) }
