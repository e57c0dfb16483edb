package bad

import (
	"context"
	"errors"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/u05_retry_pkg_rewrap/bad/dbx"
)

type Orders struct{ pool *pgxpool.Pool }

var ErrStore = errors.New("store")

func (o *Orders) Close(ctx context.Context, id int64) error {
	return dbx.WithRetry(ctx, o.pool, func(tx pgx.Tx) error {
		var open int
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM lines WHERE order_id = $1 AND open", id).Scan(&open); err != nil {
			return fmt.Errorf("%w: count lines: %v", ErrStore, err) // expect: unhandled40001
		}
		if open > 0 {
			return errors.New("open lines")
		}
		if _, err := tx.Exec(ctx, "UPDATE orders SET closed = true WHERE id = $1", id); err != nil {
			return errors.New("close: " + err.Error()) // expect: unhandled40001
		}
		return nil
	})
}
