// Package bad locks one session and unlocks another, in a method that the same
// type calls.
package bad

import (
	"context"

	"gorm.io/gorm"
)

const key = 4711

// A Sweeper deletes what is old.
type Sweeper struct{ db *gorm.DB }

// Run sweeps until it fails.
func (s *Sweeper) Run(ctx context.Context) error {
	for {
		if err := s.Sweep(ctx); err != nil {
			return err
		}
		if err := s.mark(ctx); err != nil {
			return err
		}
	}
}

func (s *Sweeper) mark(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Exec("UPDATE files SET old = true WHERE seen < now() - interval '1 day'").Error
	})
}

// Sweep locks and unlocks on the pool.
func (s *Sweeper) Sweep(ctx context.Context) error {
	db := s.db.WithContext(ctx)
	if err := db.Exec("SELECT pg_advisory_lock(?)", key).Error; err != nil { // expect: advisorypool
		return err
	}
	defer s.db.Exec("SELECT pg_advisory_unlock(?)", key) // also: advisorypool
	return s.sweep(db)
}

func (s *Sweeper) sweep(db *gorm.DB) error { return db.Exec("DELETE FROM files WHERE old").Error }

// New returns a sweeper.
func New(db *gorm.DB) *Sweeper { return &Sweeper{db: db} }
