package good

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct {
	*Queries
	pool *pgxpool.Pool
}

func NewStore(pool *pgxpool.Pool) *Store { return &Store{Queries: New(pool), pool: pool} }

func (s *Store) execTx(ctx context.Context, fn func(*Queries) error) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if err := fn(New(tx)); err != nil {
		if rb := tx.Rollback(ctx); rb != nil {
			return fmt.Errorf("%w (rollback: %v)", err, rb)
		}
		return err
	}
	return tx.Commit(ctx)
}

func (s *Store) Take(ctx context.Context, id int64, n int32) error {
	return s.execTx(ctx, func(q *Queries) error {
		qty, err := q.GetItemForUpdate(ctx, id)
		if err != nil {
			return err
		}
		return q.SetQty(ctx, id, qty-n)
	})
}
