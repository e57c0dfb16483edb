package good

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var allowed = map[string][]string{"new": {"packed", "cancelled"}, "packed": {"shipped"}}

var prices = map[string]int{"small": 4, "large": 9}

type Parcels struct{ pool *pgxpool.Pool }

func may(from, to string) bool { return slices.Contains(allowed[from], to) }

func (p *Parcels) Set(ctx context.Context, id int64, to string) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		var status string
		if err := tx.QueryRow(ctx, `SELECT status FROM parcels WHERE id = $1 FOR NO KEY UPDATE`, id).Scan(&status); err != nil {
			return err
		}
		if !may(status, to) {
			return errors.New("not allowed")
		}
		_, err := tx.Exec(ctx, `UPDATE parcels SET status = $2 WHERE id = $1`, id, to)
		return err
	})
}

// Price is looked up by what does not change.
func (p *Parcels) Price(ctx context.Context, id int64) error {
	var size string
	if err := p.pool.QueryRow(ctx, `SELECT size FROM parcels WHERE id = $1`, id).Scan(&size); err != nil {
		return err
	}
	price, ok := prices[size]
	if !ok {
		return errors.New("no such size")
	}
	_, err := p.pool.Exec(ctx, `UPDATE parcels SET price = $2 WHERE id = $1`, id, price)
	return err
}
