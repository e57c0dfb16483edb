// Package seats sells seats in serializable transactions: gorm.
package seats

import (
	"context"
	"database/sql"
	"errors"
	"log"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// Seat is a row of seats.
type Seat struct {
	ID    int64
	Buyer *string
}

// Desk sells seats.
type Desk struct{ db *gorm.DB }

// NewDesk returns a desk over the database.
func NewDesk(db *gorm.DB) *Desk { return &Desk{db: db} }

var serializable = &sql.TxOptions{Isolation: sql.LevelSerializable}

// again runs fn in a serializable transaction until it meets no conflict.
func (d *Desk) again(ctx context.Context, fn func(tx *gorm.DB) error) error {
	for {
		err := d.db.WithContext(ctx).Transaction(fn, serializable)
		if e, ok := errors.AsType[*pgconn.PgError](err); !ok || e.Code != "40001" {
			return err
		}
	}
}

// Sell sells the seat. A failure is logged and forgotten, and with it the
// conflict: again commits an aborted transaction.
func (d *Desk) Sell(ctx context.Context, seat int64, buyer string) error {
	return d.again(ctx, func(tx *gorm.DB) error {
		if err := sell(tx, seat, buyer); err != nil {
			log.Printf("seat %d: %v", seat, err)
			return nil // want "40001"
		}
		return nil
	})
}

// SellAtLast hands the failure on.
//
//proof:fixes (*Desk).Sell
func (d *Desk) SellAtLast(ctx context.Context, seat int64, buyer string) error {
	return d.again(ctx, func(tx *gorm.DB) error {
		err := sell(tx, seat, buyer)
		if err != nil {
			log.Printf("seat %d: %v", seat, err)
		}
		return err
	})
}

func sell(tx *gorm.DB, id int64, buyer string) error {
	var s Seat
	if err := tx.First(&s, id).Error; err != nil {
		return err
	}
	if s.Buyer != nil {
		return nil
	}
	return tx.Model(&s).Update("buyer", buyer).Error
}

// SellBack gives the seat back, with gorm's option and nothing around it.
func (d *Desk) SellBack(ctx context.Context, seat int64) error {
	return d.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { // want "40001"
		return sellBack(tx, seat)
	}, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
}

// SellBackAtLast has the runner around it.
//
//proof:fixes (*Desk).SellBack
func (d *Desk) SellBackAtLast(ctx context.Context, seat int64) error {
	return d.again(ctx, func(tx *gorm.DB) error { return sellBack(tx, seat) })
}

func sellBack(tx *gorm.DB, id int64) error {
	var s Seat
	if err := tx.First(&s, id).Error; err != nil {
		return err
	}
	return tx.Model(&s).Update("buyer", nil).Error
}
