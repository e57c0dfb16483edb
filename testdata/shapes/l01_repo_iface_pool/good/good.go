package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

type Order struct {
	ID    int64
	State string
}

type orderRepo struct{ q Querier }

func (r *orderRepo) lockByID(ctx context.Context, id int64) (o Order, err error) {
	err = r.q.QueryRow(ctx, `SELECT id, state FROM orders WHERE id = $1 FOR UPDATE`, id).Scan(&o.ID, &o.State)
	return o, err
}

func (r *orderRepo) setState(ctx context.Context, id int64, state string) error {
	_, err := r.q.Exec(ctx, `UPDATE orders SET state = $2 WHERE id = $1`, id, state)
	return err
}

func (r *orderRepo) with(tx pgx.Tx) *orderRepo { return &orderRepo{q: tx} }

type Service struct {
	pool   *pgxpool.Pool
	orders *orderRepo
}

func NewService(pool *pgxpool.Pool) *Service {
	return &Service{pool: pool, orders: &orderRepo{q: pool}}
}

func (s *Service) Cancel(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		orders := s.orders.with(tx)
		o, err := orders.lockByID(ctx, id)
		if err != nil {
			return err
		}
		if o.State == "shipped" {
			return errors.New("already shipped")
		}
		return orders.setState(ctx, id, "cancelled")
	})
}
