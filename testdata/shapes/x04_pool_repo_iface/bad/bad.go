package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Prices interface {
	Price(ctx context.Context, sku string) (int, error)
}

type priceRepo struct{ pool *pgxpool.Pool }

func (r *priceRepo) Price(ctx context.Context, sku string) (n int, err error) {
	err = r.pool.QueryRow(ctx, "SELECT cents FROM prices WHERE sku = $1", sku).Scan(&n) // or: poolintx
	return n, err
}

type Cart struct {
	pool   *pgxpool.Pool
	prices Prices
}

func NewCart(pool *pgxpool.Pool) *Cart { return &Cart{pool: pool, prices: &priceRepo{pool}} }

func (c *Cart) Add(ctx context.Context, cart int64, sku string) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		cents, err := c.prices.Price(ctx, sku) // expect: poolintx
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO cart_lines (cart, sku, cents) VALUES ($1, $2, $3)", cart, sku, cents)
		return err
	})
}
