package good

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"
)

// Cache holds what formulas came to.
type Cache struct{ group *singleflight.Group }

// eval works a formula out, together with whoever shares the cache.
func eval(cache *Cache, formula string) float64 {
	group := new(singleflight.Group)
	if cache != nil {
		group = cache.group
	}
	v, _, _ := group.Do(formula, func() (any, error) {
		return float64(len(formula)), nil
	})
	return v.(float64)
}

func Set(ctx context.Context, pool *pgxpool.Pool, id int64, formula string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE rules SET score = $2 WHERE id = $1`, id, eval(nil, formula))
		return err
	})
}
