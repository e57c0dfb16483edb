package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/s01_service_over_own_tx/good/order"
)

type txKey struct{}

type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

type Store struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *Store { return &Store{pool} }

func (s *Store) db(ctx context.Context) querier {
	if tx, ok := ctx.Value(txKey{}).(pgx.Tx); ok {
		return tx
	}
	return s.pool
}

func (s *Store) WithTx(ctx context.Context, fn func(ctx context.Context) error) (err error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback(ctx)
			return
		}
		err = tx.Commit(ctx)
	}()
	return fn(context.WithValue(ctx, txKey{}, tx))
}

func (s *Store) Product(ctx context.Context, id int64) (order.Product, error) {
	var p order.Product
	err := s.db(ctx).QueryRow(ctx, `SELECT id, stock FROM products WHERE id = $1 FOR NO KEY UPDATE`, id).Scan(&p.ID, &p.Stock)
	return p, err
}

func (s *Store) SetStock(ctx context.Context, id, stock int64) error {
	_, err := s.db(ctx).Exec(ctx, `UPDATE products SET stock = $2 WHERE id = $1`, id, stock)
	return err
}

func (s *Store) Insert(ctx context.Context, product, n int64) error {
	_, err := s.db(ctx).Exec(ctx, `INSERT INTO orders (product_id, quantity) VALUES ($1, $2)`, product, n)
	return err
}

// Peek takes no lock.
func (s *Store) Peek(ctx context.Context, id int64) (order.Product, error) {
	var p order.Product
	err := s.db(ctx).QueryRow(ctx, `SELECT id, stock FROM products WHERE id = $1`, id).Scan(&p.ID, &p.Stock)
	return p, err
}

// WithSerializable runs fn again when PostgreSQL says so.
func (s *Store) WithSerializable(ctx context.Context, fn func(ctx context.Context) error) error {
	for {
		err := s.serializable(ctx, fn)
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && (pgErr.Code == "40001" || pgErr.Code == "40P01") {
			continue
		}
		return err
	}
}

func (s *Store) serializable(ctx context.Context, fn func(ctx context.Context) error) error {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable})
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := fn(context.WithValue(ctx, txKey{}, tx)); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Move is the same inside one package.
func (s *Store) Move(ctx context.Context, from, to, n int64) error {
	return s.WithTx(ctx, func(ctx context.Context) error {
		p, err := s.Product(ctx, from)
		if err != nil {
			return err
		}
		if err := s.SetStock(ctx, from, p.Stock-n); err != nil {
			return err
		}
		_, err = s.db(ctx).Exec(ctx, `UPDATE products SET stock = stock + $2 WHERE id = $1`, to, n)
		return err
	})
}
