package good

import (
	"context"
	"errors"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

var defaultTx = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadWrite}

var readTx = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

type Stock struct{ pool *pgxpool.Pool }

func retryable(err error) bool {
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		return false
	}
	switch pgErr.Code {
	case "40001", "40P01":
		return true
	}
	return false
}

func (s *Stock) Reserve(ctx context.Context, sku string, n int) (err error) {
	for attempt := 0; attempt < 5; attempt++ {
		if err = s.reserve(ctx, sku, n); !retryable(err) {
			return err
		}
	}
	return err
}

func (s *Stock) reserve(ctx context.Context, sku string, n int) error {
	return pgx.BeginTxFunc(ctx, s.pool, defaultTx, func(tx pgx.Tx) error {
		var left int
		if err := tx.QueryRow(ctx, "SELECT left_n FROM stock WHERE sku = $1", sku).Scan(&left); err != nil {
			return fmt.Errorf("read stock: %w", err)
		}
		if left < n {
			return errors.New("sold out")
		}
		_, err := tx.Exec(ctx, "UPDATE stock SET left_n = $2 WHERE sku = $1", sku, left-n)
		return err
	})
}

func (s *Stock) Report(ctx context.Context) (n, m int, err error) {
	err = pgx.BeginTxFunc(ctx, s.pool, readTx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM stock").Scan(&n); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "SELECT sum(left_n) FROM stock").Scan(&m)
	})
	return n, m, err
}
