// Command bad sweeps with one session, and may give it back locked.
package main

import (
	"context"
	"log"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

const key = 4711

// A Sweeper deletes what is old.
type Sweeper struct{ db *gorm.DB }

// Sweep keeps the lock where it has nothing to do.
func (s *Sweeper) Sweep(ctx context.Context) error {
	return s.db.WithContext(ctx).Connection(func(db *gorm.DB) error {
		var ok bool
		if err := db.Raw("SELECT pg_try_advisory_lock(?)", key).Scan(&ok).Error; err != nil || !ok { // expect: advisorypool
			return err
		}
		var n int64
		if err := db.Table("files").Where("old").Count(&n).Error; err != nil || n == 0 {
			return err
		}
		if err := s.sweep(db); err != nil {
			return err
		}
		return db.WithContext(context.WithoutCancel(ctx)).Exec("SELECT pg_advisory_unlock(?)", key).Error
	})
}

// Force looks at the wrong thing.
func (s *Sweeper) Force(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var ok bool
		if err := tx.Raw("SELECT pg_try_advisory_xact_lock(?)", key).Scan(&ok).Error; err != nil { // expect: advisorypool
			return err
		}
		return s.sweep(tx)
	})
}

func (s *Sweeper) sweep(db *gorm.DB) error { return db.Exec("DELETE FROM files WHERE old").Error }

func main() {
	db, err := gorm.Open(postgres.Open("host=localhost"))
	if err != nil {
		log.Fatal(err)
	}
	s := &Sweeper{db: db}
	log.Print(s.Sweep(context.Background()))
}
