// Package nightly bills subscriptions at night: sessions of a pgx pool, with
// transactions as text, and rows that others may hold.
package nightly

import (
	"context"
	"errors"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Biller bills subscriptions.
type Biller struct{ pool *pgxpool.Pool }

// NewBiller returns a biller over the pool.
func NewBiller(pool *pgxpool.Pool) *Biller { return &Biller{pool: pool} }

const (
	charge = `UPDATE subscriptions SET charged = charged + 1 WHERE id = $1`
	thank  = `INSERT INTO thanks (subscription_id) VALUES ($1)`
	hold   = `SELECT id FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE NOWAIT`
)

// Charge thanks once only, and charges each time. PostgreSQL answers the
// COMMIT of a transaction that has failed with a ROLLBACK, and no error.
func (b *Biller) Charge(ctx context.Context, id int64) error {
	conn, err := b.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, charge, id); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, thank, id); err != nil {
		log.Printf("subscription %d has been thanked: %v", id, err)
	}
	_, err = conn.Exec(ctx, "COMMIT") // want "25P02"
	return err
}

// ChargeOnly thanks after the commit.
//
//proof:fixes (*Biller).Charge
func (b *Biller) ChargeOnly(ctx context.Context, id int64) error {
	conn, err := b.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, charge, id); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "COMMIT"); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, thank, id); err != nil {
		log.Printf("subscription %d has been thanked: %v", id, err)
	}
	return nil
}

// Run charges all subscriptions but those that somebody else holds. The first
// of these is the last that it comes to.
func (b *Biller) Run(ctx context.Context, ids []int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		for _, id := range ids {
			if _, err := tx.Exec(ctx, hold, id); held(err) { // want "25P02"
				continue
			} else if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, charge, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// RunPast asks for the rows that nobody holds: that is no error.
//
//proof:fixes (*Biller).Run
func (b *Biller) RunPast(ctx context.Context, ids []int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id FROM subscriptions WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`, ids)
		if err != nil {
			return err
		}
		free, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		for _, id := range free {
			if _, err := tx.Exec(ctx, charge, id); err != nil {
				return err
			}
		}
		return nil
	})
}

func held(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "55P03"
}
