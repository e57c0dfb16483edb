// Package good has a sweeper that works on a transaction that it is given.
package good

import (
	"context"

	"gorm.io/gorm"
)

const key = 4711

// A Sweeper deletes what is old.
type Sweeper struct{ db *gorm.DB }

// on returns the sweeper on another handle.
func (s *Sweeper) on(db *gorm.DB) *Sweeper { return &Sweeper{db: db} }

// Run sweeps in a transaction.
func (s *Sweeper) Run(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return s.on(tx).lockAndSweep()
	})
}

func (s *Sweeper) lockAndSweep() error {
	if err := s.db.Exec("SELECT pg_advisory_xact_lock(?)", key).Error; err != nil {
		return err
	}
	if err := s.db.Exec("SELECT 1 FROM files WHERE old FOR UPDATE").Error; err != nil {
		return err
	}
	return s.sweep(s.db)
}

func (s *Sweeper) sweep(db *gorm.DB) error { return db.Exec("DELETE FROM files WHERE old").Error }

// New returns a sweeper.
func New(db *gorm.DB) *Sweeper { return &Sweeper{db: db} }
