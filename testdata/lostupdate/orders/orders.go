// Package orders ships and cancels orders, with database/sql.
package orders

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Errors of orders.
var (
	ErrNotPaid = errors.New("the order is not paid, or shipped already")
	ErrGone    = errors.New("no such order")
)

// Desk handles orders.
type Desk struct{ db *sql.DB }

// NewDesk returns a desk over the database.
func NewDesk(db *sql.DB) *Desk { return &Desk{db: db} }

type order struct {
	id      int64
	status  string
	carrier sql.NullString
}

func (d *Desk) get(ctx context.Context, id int64) (*order, error) {
	o := &order{id: id}
	err := d.db.QueryRowContext(ctx, `SELECT status, carrier FROM orders WHERE id = $1`, id).Scan(&o.status, &o.carrier)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrGone
	}
	if err != nil {
		return nil, fmt.Errorf("get order %d: %w", id, err)
	}
	return o, nil
}

// Ship gives a paid order to a carrier; two that ask at once both get it.
func (d *Desk) Ship(ctx context.Context, id int64, carrier string) error {
	o, err := d.get(ctx, id)
	if err != nil {
		return err
	}
	if o.status != "paid" {
		return ErrNotPaid
	}
	_, err = d.db.ExecContext(ctx, `UPDATE orders SET status = 'shipped', carrier = $2 WHERE id = $1`, id, carrier) // want `whether status of orders is written was decided on the row read without a lock at orders.go:\d+`
	return err
}

// ShipPaid asks for the status once more where it changes it.
//
//proof:fixes (*Desk).Ship
func (d *Desk) ShipPaid(ctx context.Context, id int64, carrier string) error {
	if _, err := d.get(ctx, id); err != nil {
		return err
	}
	res, err := d.db.ExecContext(ctx, `UPDATE orders SET status = 'shipped', carrier = $2 WHERE id = $1 AND status = 'paid'`, id, carrier)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrNotPaid
	}
	return nil
}

// ShipLocked keeps the order to itself from its read to its write.
//
//proof:fixes (*Desk).Ship
func (d *Desk) ShipLocked(ctx context.Context, id int64, carrier string) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var status string
	err = tx.QueryRowContext(ctx, `SELECT status FROM orders WHERE id = $1 FOR NO KEY UPDATE`, id).Scan(&status)
	if err != nil {
		return err
	}
	if status != "paid" {
		return ErrNotPaid
	}
	_, err = tx.ExecContext(ctx, `UPDATE orders SET status = 'shipped', carrier = $2 WHERE id = $1`, id, carrier)
	if err != nil {
		return err
	}
	return tx.Commit()
}

// Archive sets a mark; whoever sets it second sets the same.
func (d *Desk) Archive(ctx context.Context, id int64) error {
	var archived bool
	err := d.db.QueryRowContext(ctx, `SELECT archived FROM orders WHERE id = $1`, id).Scan(&archived)
	if err != nil {
		return err
	}
	if archived {
		return nil
	}
	_, err = d.db.ExecContext(ctx, `UPDATE orders SET archived = true WHERE id = $1`, id)
	return err
}

// Annotate changes what it did not ask about.
func (d *Desk) Annotate(ctx context.Context, id int64, note string) error {
	o, err := d.get(ctx, id)
	if err != nil {
		return err
	}
	if o.status == "cancelled" {
		return ErrGone
	}
	_, err = d.db.ExecContext(ctx, `UPDATE orders SET note = $2 WHERE id = $1`, id, note)
	return err
}

// Patch leaves what is not given as it is, in SQL.
func (d *Desk) Patch(ctx context.Context, id int64, carrier, note *string) error {
	if _, err := d.get(ctx, id); err != nil {
		return err
	}
	_, err := d.db.ExecContext(ctx, `UPDATE orders SET carrier = coalesce($2, carrier), note = coalesce($3, note) WHERE id = $1`, id, carrier, note)
	return err
}
