// Package payments waits for the provider's confirmation of a payment: a pgx
// pool, and a loop that sleeps.
package payments

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrPending says that the provider has not confirmed in time.
var ErrPending = errors.New("payment is pending")

// Payments are paid by customers and confirmed by a callback of the provider.
type Payments struct {
	pool  *pgxpool.Pool
	pause time.Duration
}

// New returns payments that look for a confirmation once in pause.
func New(pool *pgxpool.Pool, pause time.Duration) *Payments {
	return &Payments{pool: pool, pause: pause}
}

const (
	begun     = `UPDATE payments SET state = 'pending' WHERE id = $1`
	confirmed = `SELECT confirmed FROM payments WHERE id = $1`
	tries     = 3
)

// Pay begins the payment and waits until it is confirmed. Who confirms has to
// wait for this very transaction.
func (p *Payments) Pay(ctx context.Context, id int64) error {
	tx, err := p.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, begun, id); err != nil {
		return err
	}
	for range tries {
		if ok, err := isConfirmed(ctx, tx, id); err != nil {
			return err
		} else if ok {
			return tx.Commit(ctx)
		}
		time.Sleep(p.pause) // want "transaction open"
	}
	return ErrPending
}

// PayInTurns gives the row back before it waits.
//
//proof:fixes (*Payments).Pay
func (p *Payments) PayInTurns(ctx context.Context, id int64) error {
	if _, err := p.pool.Exec(ctx, begun, id); err != nil {
		return err
	}
	for range tries {
		if ok, err := isConfirmed(ctx, p.pool, id); err != nil || ok {
			return err
		}
		time.Sleep(p.pause)
	}
	return ErrPending
}

// PayOrWait waits as well, in a select.
func (p *Payments) PayOrWait(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, begun, id); err != nil {
			return err
		}
		for range tries {
			if ok, err := isConfirmed(ctx, tx, id); err != nil || ok {
				return err
			}
			select { // want "transaction open"
			case <-time.After(p.pause):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return ErrPending
	})
}

// PayAndWait waits in the same way, between statements of the pool.
//
//proof:fixes (*Payments).PayOrWait
func (p *Payments) PayAndWait(ctx context.Context, id int64) error {
	if _, err := p.pool.Exec(ctx, begun, id); err != nil {
		return err
	}
	for range tries {
		if ok, err := isConfirmed(ctx, p.pool, id); err != nil || ok {
			return err
		}
		select {
		case <-time.After(p.pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ErrPending
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func isConfirmed(ctx context.Context, db querier, id int64) (ok bool, err error) {
	err = db.QueryRow(ctx, confirmed, id).Scan(&ok)
	return ok, err
}

// Confirm is the provider's callback.
func (p *Payments) Confirm(ctx context.Context, id int64) error {
	_, err := p.pool.Exec(ctx, `UPDATE payments SET confirmed = true WHERE id = $1`, id)
	return err
}
