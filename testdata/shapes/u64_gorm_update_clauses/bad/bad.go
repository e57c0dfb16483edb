// Package bad has versions that are not compared.
package bad

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
)

// Version counts the changes of a row.
type Version int64

// UpdateClauses implements [schema.UpdateClausesInterface].
func (Version) UpdateClauses(*schema.Field) []clause.Interface { return nil }

// Hidden hides rows, as a soft delete does, which says nothing about versions.
type Hidden bool

// QueryClauses implements [schema.QueryClausesInterface].
func (Hidden) QueryClauses(*schema.Field) []clause.Interface { return nil }

// UpdateClauses implements [schema.UpdateClausesInterface].
func (Hidden) UpdateClauses(*schema.Field) []clause.Interface { return nil }

// Ticket is a row of tickets.
type Ticket struct {
	ID      int64
	Left    int64
	Version Version
}

// Seat is a row of seats.
type Seat struct {
	ID     int64
	Free   int64
	Hidden Hidden
}

// Store keeps them.
type Store struct{ db *gorm.DB }

// Sell says Unscoped, with which no version is compared.
func (s *Store) Sell(ctx context.Context, id, n int64) error {
	var t Ticket
	if err := s.db.WithContext(ctx).First(&t, id).Error; err != nil {
		return err
	}
	return s.db.WithContext(ctx).Unscoped().Model(&t).Update("left", t.Left-n).Error // expect: lostupdate
}

// Sit has no version at all.
func (s *Store) Sit(ctx context.Context, id, n int64) error {
	var seat Seat
	if err := s.db.WithContext(ctx).First(&seat, id).Error; err != nil {
		return err
	}
	if seat.Free < n {
		return errors.New("full")
	}
	return s.db.WithContext(ctx).Model(&seat).Update("free", seat.Free-n).Error // expect: lostupdate
}
