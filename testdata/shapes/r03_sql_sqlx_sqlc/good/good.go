package good

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
)

var ErrChanged = errors.New("changed")

type Accounts struct {
	db *sql.DB
	x  *sqlx.DB
	q  *Queries
}

func (a *Accounts) Debit(ctx context.Context, id, amount int64) error {
	res, err := a.db.ExecContext(ctx, `UPDATE accounts SET balance = balance - $2 WHERE id = $1 AND balance >= $2`, id, amount)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrChanged
	}
	return nil
}

// moved says whether there was a row.
func moved(res sql.Result) (bool, error) {
	n, err := res.RowsAffected()
	return n > 0, err
}

func (a *Accounts) Close(ctx context.Context, id int64) error {
	res, err := a.x.ExecContext(ctx, `UPDATE tickets SET status = 'closed' WHERE id = $1 AND status = 'open'`, id)
	if err != nil {
		return err
	}
	if ok, err := moved(res); err != nil || !ok {
		return errors.Join(ErrChanged, err)
	}
	return nil
}

func (a *Accounts) Ack(ctx context.Context, id int64) error {
	n, err := a.q.AckJob(ctx, id)
	if err != nil {
		return err
	}
	if n != 1 {
		return ErrChanged
	}
	return nil
}

// Fail leaves it to who calls it.
func (a *Accounts) Fail(ctx context.Context, id int64) (sql.Result, error) {
	return a.q.FailJob(ctx, id)
}

type done struct {
	Rows int64
}

// Done keeps the number.
func (a *Accounts) Done(ctx context.Context, id int64) (*done, error) {
	n, err := a.q.AckJob(ctx, id)
	return &done{Rows: n}, err
}

// Versions has the version in its key.
func (a *Accounts) Versions(ctx context.Context, pkg, version, notes string) error {
	_, err := a.db.ExecContext(ctx, `UPDATE releases SET notes = $3 WHERE package = $1 AND version = $2`, pkg, version, notes)
	return err
}

// Lock is one function of a caller's transaction, and Relocate another.
func Lock(ctx context.Context, tx *sql.Tx, id int64) (string, error) {
	var status string
	err := tx.QueryRowContext(ctx, `SELECT status FROM parcels WHERE id = $1 FOR UPDATE`, id).Scan(&status)
	return status, err
}

func Relocate(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE parcels SET status = 'moved' WHERE id = $1 AND status = 'stored'`, id)
	return err
}
