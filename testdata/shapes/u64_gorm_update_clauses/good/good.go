// Package good has fields whose types add clauses to every UPDATE of their model.
package good

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
)

// A Fence compares itself with the row and counts up.
type Fence int64

// UpdateClauses implements [schema.UpdateClausesInterface].
func (Fence) UpdateClauses(f *schema.Field) []clause.Interface {
	return []clause.Interface{clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: f.DBName + " = 1"}}}}
}

// Version is a version by its name.
type Version int64

// UpdateClauses implements [schema.UpdateClausesInterface].
func (Version) UpdateClauses(*schema.Field) []clause.Interface { return nil }

// Base is what all models have.
type Base struct {
	ID   int64
	Rev  Version
	Lock Fence `gorm:"column:fence"`
}

// Stock is a row of stocks.
type Stock struct {
	Base
	Amount int64
}

// Ticket is a row of tickets.
type Ticket struct {
	ID      int64
	Left    int64
	Version *Version
}

// Store keeps them.
type Store struct{ db *gorm.DB }

// Take takes from a stock by the model that it has read: somebody else's change is noticed.
func (s *Store) Take(ctx context.Context, id, n int64) error {
	var st Stock
	if err := s.db.WithContext(ctx).First(&st, id).Error; err != nil {
		return err
	}
	if st.Amount < n {
		return errors.New("too few")
	}
	st.Amount -= n
	res := s.db.WithContext(ctx).Model(&st).Select("amount").Updates(st)
	if res.Error == nil && res.RowsAffected == 0 {
		return errors.New("changed")
	}
	return res.Error
}

// Sell sells by columns of the model.
func (s *Store) Sell(ctx context.Context, id, n int64) error {
	t := &Ticket{}
	if err := s.db.WithContext(ctx).Where("id = ?", id).Take(t).Error; err != nil {
		return err
	}
	res := s.db.WithContext(ctx).Model(t).UpdateColumn("left", t.Left-n)
	if res.Error == nil && res.RowsAffected != 1 {
		return errors.New("changed")
	}
	return res.Error
}

// Label is a row of labels.
type Label struct {
	ID   int64
	Uses int64
	Text string
}

// Relabel saves what it has read but the number of uses, which others count.
func (s *Store) Relabel(ctx context.Context, id int64, text string) error {
	var l Label
	if err := s.db.WithContext(ctx).First(&l, id).Error; err != nil {
		return err
	}
	l.Uses++
	l.Text = text
	return s.db.WithContext(ctx).Omit("Uses").Save(&l).Error
}
