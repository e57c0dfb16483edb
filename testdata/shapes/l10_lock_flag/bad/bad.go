package bad

import (
	"context"
	"database/sql"
	"errors"
)

type Invoices struct{ db *sql.DB }

type Invoice struct {
	ID   int64
	Paid bool
}

func find(ctx context.Context, db *sql.DB, id int64, lock bool) (in Invoice, err error) {
	q := `SELECT id, paid FROM invoices WHERE id = $1`
	if lock {
		q += ` FOR UPDATE`
	}
	err = db.QueryRowContext(ctx, q, id).Scan(&in.ID, &in.Paid) // or: lockoutsidetx
	return in, err
}

func (s *Invoices) Show(ctx context.Context, id int64) (Invoice, error) {
	return find(ctx, s.db, id, false)
}

func (s *Invoices) Pay(ctx context.Context, id int64) error {
	in, err := find(ctx, s.db, id, true) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	if in.Paid {
		return errors.New("paid")
	}
	_, err = s.db.ExecContext(ctx, `UPDATE invoices SET paid = true WHERE id = $1`, id) // also: lostupdate
	return err
}
