// Package good writes single columns, with named parameters.
package good

import (
	"context"

	"github.com/jmoiron/sqlx"
)

type Device struct {
	ID       int64  `db:"id"`
	Name     string `db:"name"`
	Failures int    `db:"failures"`
}

type Devices struct{ db *sqlx.DB }

func (d *Devices) Get(ctx context.Context, id int64) (*Device, error) {
	dev := new(Device)
	if err := d.db.GetContext(ctx, dev, `SELECT * FROM devices WHERE id = $1`, id); err != nil {
		return nil, err
	}
	return dev, nil
}

func (d *Devices) Rename(ctx context.Context, id int64, name string) error {
	dev, err := d.Get(ctx, id)
	if err != nil {
		return err
	}
	dev.Name = name
	_, err = d.db.NamedExecContext(ctx, `UPDATE devices SET name = :name WHERE id = :id`, dev)
	return err
}

func (d *Devices) Failed(ctx context.Context, id int64) error {
	dev, err := d.Get(ctx, id)
	if err != nil {
		return err
	}
	_, err = d.db.NamedExecContext(ctx, `UPDATE devices SET failures = failures + 1 WHERE id = :id`, map[string]any{"id": dev.ID})
	return err
}
