// Package parcels hands parcels to drivers: gorm.
package parcels

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// ErrGone says that another driver has the parcel.
var ErrGone = errors.New("parcel is on its way")

// Parcel is a row of parcels.
type Parcel struct {
	ID     int64
	Driver *string
}

// Depot hands parcels out.
type Depot struct{ db *gorm.DB }

// NewDepot returns a depot over the database.
func NewDepot(db *gorm.DB) *Depot { return &Depot{db: db} }

// Hand gives the parcel to the driver.
func (d *Depot) Hand(ctx context.Context, id int64, driver string) error {
	db := d.db.WithContext(ctx)
	var p Parcel
	if err := db.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).First(&p, id).Error; err != nil { // want "row lock"
		return err
	}
	if p.Driver != nil {
		return ErrGone
	}
	return db.Model(&p).Update("driver", driver).Error
}

// HandInTx gives the parcel to the driver under the lock.
//
//proof:fixes (*Depot).Hand
func (d *Depot) HandInTx(ctx context.Context, id int64, driver string) error {
	return d.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var p Parcel
		if err := tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).First(&p, id).Error; err != nil {
			return err
		}
		if p.Driver != nil {
			return ErrGone
		}
		return tx.Model(&p).Update("driver", driver).Error
	})
}
