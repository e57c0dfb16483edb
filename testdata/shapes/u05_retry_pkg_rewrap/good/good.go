package good

import (
	"context"
	"errors"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/u05_retry_pkg_rewrap/good/dbx"
)

type Orders struct{ pool *pgxpool.Pool }

var ErrStore = errors.New("store")

func (o *Orders) Close(ctx context.Context, id int64) error {
	err := dbx.WithRetry(ctx, o.pool, func(tx pgx.Tx) error {
		var open int
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM lines WHERE order_id = $1 AND open", id).Scan(&open); err != nil {
			return fmt.Errorf("%w: count lines: %w", ErrStore, err)
		}
		if open > 0 {
			return fmt.Errorf("order %d has open lines: %v", id, open)
		}
		if _, err := tx.Exec(ctx, "UPDATE orders SET closed = true WHERE id = $1", id); err != nil {
			return errors.Join(ErrStore, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("close order: %v", err)
	}
	return nil
}
