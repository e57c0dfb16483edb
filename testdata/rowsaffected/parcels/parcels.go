// Package parcels hands parcels out: bun.
package parcels

import (
	"context"
	"errors"

	"github.com/uptrace/bun"
)

// ErrGone says that the parcel is not there any more.
var ErrGone = errors.New("the parcel is not there")

// A Parcel waits until it is fetched.
type Parcel struct {
	ID     int64 `bun:",pk"`
	Status string
}

// Desk hands parcels out.
type Desk struct{ db *bun.DB }

// NewDesk returns a desk over the database.
func NewDesk(db *bun.DB) *Desk { return &Desk{db: db} }

// HandOut hands a parcel out, even twice.
func (d *Desk) HandOut(ctx context.Context, p *Parcel) error {
	_, err := d.db.NewUpdate().Model(p).Set("status = 'fetched'").WherePK().Where("status = ?", "stored").Exec(ctx) // want `UPDATE of parcels changes: where "status = \?"`
	return err
}

// HandOutOnce hands out a parcel that is there.
//
//proof:fixes (*Desk).HandOut
func (d *Desk) HandOutOnce(ctx context.Context, p *Parcel) error {
	res, err := d.db.NewUpdate().Model(p).Set("status = 'fetched'").WherePK().Where("status = ?", "stored").Exec(ctx)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrGone
	}
	return nil
}

// Relabel writes by the key alone.
func (d *Desk) Relabel(ctx context.Context, p *Parcel) error {
	_, err := d.db.NewUpdate().Model(p).Column("status").WherePK().Exec(ctx)
	return err
}
