// Package oncall lets doctors leave their shifts, as long as one stays:
// serializable transactions of pgx.
package oncall

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrLast says that nobody else is on call.
var ErrLast = errors.New("the last doctor has to stay")

// Roster says who is on call.
type Roster struct{ pool *pgxpool.Pool }

// NewRoster returns a roster over the pool.
func NewRoster(pool *pgxpool.Pool) *Roster { return &Roster{pool: pool} }

var serializable = pgx.TxOptions{IsoLevel: pgx.Serializable}

// Leave ends the doctor's shift. Of two doctors who leave at the same time one
// is told by PostgreSQL to try again, as late as at the commit, and is told so
// by the program too.
func (r *Roster) Leave(ctx context.Context, doctor string) error {
	return pgx.BeginTxFunc(ctx, r.pool, serializable, func(tx pgx.Tx) error { // want "40001"
		return leave(ctx, tx, doctor)
	})
}

// LeaveAtLast tries again.
//
//proof:fixes (*Roster).Leave
func (r *Roster) LeaveAtLast(ctx context.Context, doctor string) (err error) {
	for range 5 {
		err = pgx.BeginTxFunc(ctx, r.pool, serializable, func(tx pgx.Tx) error {
			return leave(ctx, tx, doctor)
		})
		if e, ok := errors.AsType[*pgconn.PgError](err); !ok || e.Code != "40001" {
			return err
		}
	}
	return err
}

func leave(ctx context.Context, tx pgx.Tx, doctor string) error {
	var others int
	if err := tx.QueryRow(ctx, `SELECT count(*) FROM doctors WHERE on_call AND name <> $1`, doctor).Scan(&others); err != nil {
		return err
	}
	if others == 0 {
		return ErrLast
	}
	_, err := tx.Exec(ctx, `UPDATE doctors SET on_call = false WHERE name = $1`, doctor)
	return err
}

// Swap hands the shift on. It asks for its isolation level in SQL.
func (r *Roster) Swap(ctx context.Context, from, to string) error {
	tx, err := r.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`); err != nil { // want "40001"
		return err
	}
	if err := swap(ctx, tx, from, to); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// SwapAtLast tries again, each time in a transaction of its own.
//
//proof:fixes (*Roster).Swap
func (r *Roster) SwapAtLast(ctx context.Context, from, to string) error {
	once := func() error {
		tx, err := r.pool.Begin(ctx)
		if err != nil {
			return err
		}
		defer tx.Rollback(ctx)
		if _, err := tx.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`); err != nil {
			return err
		}
		if err := swap(ctx, tx, from, to); err != nil {
			return err
		}
		return tx.Commit(ctx)
	}
	for {
		err := once()
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.SQLState() != "40001" && e.SQLState() != "40P01" {
			return err
		}
	}
}

func swap(ctx context.Context, tx pgx.Tx, from, to string) error {
	var onCall bool
	if err := tx.QueryRow(ctx, `SELECT on_call FROM doctors WHERE name = $1`, from).Scan(&onCall); err != nil || !onCall {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE doctors SET on_call = name = $2 WHERE name IN ($1, $2)`, from, to)
	return err
}
