// Package bad writes a struct back with named parameters.
package bad

import (
	"context"

	"github.com/jmoiron/sqlx"
)

type Device struct {
	ID       int64  `db:"id"`
	Name     string `db:"name"`
	Failures int    `db:"failures"`
	Blocked  bool   `db:"blocked"`
}

type Devices struct{ db *sqlx.DB }

func (d *Devices) Get(ctx context.Context, id int64) (*Device, error) {
	dev := new(Device)
	if err := d.db.GetContext(ctx, dev, `SELECT * FROM devices WHERE id = $1`, id); err != nil {
		return nil, err
	}
	return dev, nil
}

func (d *Devices) Save(ctx context.Context, dev *Device) error {
	_, err := d.db.NamedExecContext(ctx, `
		UPDATE devices SET name = :name, failures = :failures, blocked = :blocked
		WHERE id = :id`, dev)
	return err
}

func (d *Devices) Failed(ctx context.Context, id int64) error {
	dev, err := d.Get(ctx, id)
	if err != nil {
		return err
	}
	dev.Failures++
	if dev.Failures > 5 {
		dev.Blocked = true
	}
	return d.Save(ctx, dev) // expect: lostupdate
}
