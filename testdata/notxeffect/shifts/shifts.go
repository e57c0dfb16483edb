// Package shifts plans who works when: gorm.
package shifts

import (
	"context"
	"errors"

	"gorm.io/gorm"
)

// ErrBusy says that the person works at that time.
var ErrBusy = errors.New("person has a shift then")

// Shift is a row of shifts.
type Shift struct {
	ID     int64
	Person string
	Day    int
}

// Planner plans shifts.
type Planner struct{ db *gorm.DB }

// NewPlanner returns a planner over the database.
func NewPlanner(db *gorm.DB) *Planner { return &Planner{db: db} }

// Plan adds a shift. PostgreSQL refuses to lock a table outside of a
// transaction.
func (p *Planner) Plan(ctx context.Context, person string, day int) error {
	db := p.db.WithContext(ctx)
	if err := db.Exec(`LOCK TABLE shifts IN SHARE ROW EXCLUSIVE MODE`).Error; err != nil { // want "outside a transaction"
		return err
	}
	return add(db, person, day)
}

// PlanInTx adds a shift under the lock.
//
//proof:fixes (*Planner).Plan
func (p *Planner) PlanInTx(ctx context.Context, person string, day int) error {
	return p.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`LOCK TABLE shifts IN SHARE ROW EXCLUSIVE MODE`).Error; err != nil {
			return err
		}
		return add(tx, person, day)
	})
}

func add(db *gorm.DB, person string, day int) error {
	var n int64
	if err := db.Model(&Shift{}).Where("person = ? AND day = ?", person, day).Count(&n).Error; err != nil {
		return err
	}
	if n > 0 {
		return ErrBusy
	}
	return db.Create(&Shift{Person: person, Day: day}).Error
}
