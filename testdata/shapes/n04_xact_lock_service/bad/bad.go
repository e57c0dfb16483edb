package bad

import (
	"context"
	"database/sql"
	"errors"
)

type repo struct{ db *sql.DB }

func (r *repo) lock(ctx context.Context, customer int64) error {
	_, err := r.db.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", customer) // expect: notxeffect
	return err
}

func (r *repo) openOrders(ctx context.Context, customer int64) (n int, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT count(*) FROM orders WHERE customer_id = $1 AND open", customer).Scan(&n)
	return n, err
}

func (r *repo) insert(ctx context.Context, customer int64) error {
	_, err := r.db.ExecContext(ctx, "INSERT INTO orders (customer_id, open) VALUES ($1, true)", customer) // also: lostupdate
	return err
}

type Orders struct{ repo *repo }

func (o *Orders) Open(ctx context.Context, customer int64) error {
	if err := o.repo.lock(ctx, customer); err != nil { // or: notxeffect
		return err
	}
	n, err := o.repo.openOrders(ctx, customer)
	if err != nil {
		return err
	}
	if n >= 3 {
		return errors.New("too many open orders")
	}
	return o.repo.insert(ctx, customer) // also: lostupdate
}
