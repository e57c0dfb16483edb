// Command good locks the row in one helper before it writes it in another.
package main

import (
	"context"
	"errors"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A Service takes orders back.
type Service struct{ pool *pgxpool.Pool }

func (s *Service) inTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, fn)
}

func cancel(ctx context.Context, tx pgx.Tx, id int64) error {
	_, err := tx.Exec(ctx, "UPDATE orders SET state = 'cancelled' WHERE id = $1 AND state = 'new'", id)
	return err
}

func lock(ctx context.Context, tx pgx.Tx, id int64) (state string, err error) {
	err = tx.QueryRow(ctx, "SELECT state FROM orders WHERE id = $1 FOR UPDATE", id).Scan(&state)
	return state, err
}

// Cancel locks first.
func (s *Service) Cancel(ctx context.Context, id int64) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := lock(ctx, tx, id); err != nil {
			return err
		}
		return cancel(ctx, tx, id)
	})
}

// CancelLocked has the order locked before.
func (s *Service) CancelLocked(ctx context.Context, id int64) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		state, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if state != "new" {
			return errors.New("order is " + state)
		}
		_, err = tx.Exec(ctx, "UPDATE orders SET state = 'cancelled' WHERE id = $1 AND state = 'new'", id)
		return err
	})
}

func main() {
	pool, err := pgxpool.New(context.Background(), "postgres://localhost/shop")
	if err != nil {
		log.Fatal(err)
	}
	s := &Service{pool: pool}
	log.Print(s.Cancel(context.Background(), 1), s.CancelLocked(context.Background(), 2))
}
