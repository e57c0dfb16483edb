package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

type Prices interface {
	Price(ctx context.Context, q querier, sku string) (int, error)
}

type priceRepo struct{}

func (priceRepo) Price(ctx context.Context, q querier, sku string) (n int, err error) {
	err = q.QueryRow(ctx, "SELECT cents FROM prices WHERE sku = $1", sku).Scan(&n)
	return n, err
}

type Cart struct {
	pool   *pgxpool.Pool
	prices Prices
}

func NewCart(pool *pgxpool.Pool) *Cart { return &Cart{pool: pool, prices: priceRepo{}} }

func (c *Cart) Quote(ctx context.Context, sku string) (int, error) {
	return c.prices.Price(ctx, c.pool, sku)
}

func (c *Cart) Add(ctx context.Context, cart int64, sku string) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		cents, err := c.prices.Price(ctx, tx, sku)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO cart_lines (cart, sku, cents) VALUES ($1, $2, $3)", cart, sku, cents)
		return err
	})
}
