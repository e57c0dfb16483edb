// Package nightly charges subscriptions once a night, on whichever of several
// servers comes first: sqlx.
package nightly

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
)

// ErrRunning says that another server charges.
var ErrRunning = errors.New("another server charges")

const chargeKey = 555

// Biller charges subscriptions.
type Biller struct {
	db     *sqlx.DB
	charge func(ctx context.Context, id int64) error
}

// NewBiller returns a biller that charges with charge.
func NewBiller(db *sqlx.DB, charge func(ctx context.Context, id int64) error) *Biller {
	return &Biller{db: db, charge: charge}
}

// Run charges what is due. A try-lock does not wait and is no error: it
// answers false, and nobody asked.
func (b *Biller) Run(ctx context.Context) error {
	tx, err := b.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `SELECT pg_try_advisory_xact_lock($1)`, chargeKey); err != nil { // want "advisory lock"
		return err
	}
	return b.chargeDue(ctx, tx)
}

// RunAlone looks at the answer.
//
//proof:fixes (*Biller).Run
func (b *Biller) RunAlone(ctx context.Context) error {
	tx, err := b.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var got bool
	if err := tx.GetContext(ctx, &got, `SELECT pg_try_advisory_xact_lock($1)`, chargeKey); err != nil {
		return err
	}
	if !got {
		return ErrRunning
	}
	return b.chargeDue(ctx, tx)
}

func (b *Biller) chargeDue(ctx context.Context, tx *sqlx.Tx) error {
	var due []int64
	if err := tx.SelectContext(ctx, &due, `SELECT id FROM subscriptions WHERE NOT charged ORDER BY id`); err != nil {
		return err
	}
	for _, id := range due {
		if err := b.charge(ctx, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE subscriptions SET charged = true WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return tx.Commit()
}
