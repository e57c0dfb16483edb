package good

import (
	"context"
	"database/sql"
	"errors"
)

type repo struct{ tx *sql.Tx }

func (r *repo) lock(ctx context.Context, customer int64) error {
	_, err := r.tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", customer)
	return err
}

func (r *repo) openOrders(ctx context.Context, customer int64) (n int, err error) {
	err = r.tx.QueryRowContext(ctx, "SELECT count(*) FROM orders WHERE customer_id = $1 AND open", customer).Scan(&n)
	return n, err
}

func (r *repo) insert(ctx context.Context, customer int64) error {
	_, err := r.tx.ExecContext(ctx, "INSERT INTO orders (customer_id, open) VALUES ($1, true)", customer)
	return err
}

type UnitOfWork struct{ db *sql.DB }

func (u *UnitOfWork) Run(ctx context.Context, fn func(*repo) error) error {
	tx, err := u.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(&repo{tx: tx}); err != nil {
		return err
	}
	return tx.Commit()
}

func Open(ctx context.Context, u *UnitOfWork, customer int64) error {
	return u.Run(ctx, func(r *repo) error {
		if err := r.lock(ctx, customer); err != nil {
			return err
		}
		n, err := r.openOrders(ctx, customer)
		if err != nil {
			return err
		}
		if n >= 3 {
			return errors.New("too many open orders")
		}
		return r.insert(ctx, customer)
	})
}
