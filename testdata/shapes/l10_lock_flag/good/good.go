package good

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

type queryer interface {
	QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row
}

func find(ctx context.Context, db queryer, id int64, lock bool) (in Invoice, err error) {
	q := `SELECT id, paid FROM invoices WHERE id = $1`
	if lock {
		q += ` FOR UPDATE`
	}
	err = db.QueryRowContext(ctx, q, id).Scan(&in.ID, &in.Paid)
	return in, err
}

func (s *Invoices) Show(ctx context.Context, id int64) (Invoice, error) {
	return find(ctx, s.db, id, false)
}

func (s *Invoices) Pay(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	in, err := find(ctx, tx, id, true)
	if err != nil {
		return err
	}
	if in.Paid {
		return errors.New("paid")
	}
	if _, err = tx.ExecContext(ctx, `UPDATE invoices SET paid = true WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}
