// Command good sweeps with one session, and unlocks what it has locked.
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

// Sweep does nothing when another has the lock.
func (s *Sweeper) Sweep(ctx context.Context) error {
	return s.db.WithContext(ctx).Connection(func(db *gorm.DB) (err error) {
		var ok bool
		if err := db.Raw("SELECT pg_try_advisory_lock(?)", key).Scan(&ok).Error; err != nil || !ok {
			return err
		}
		defer func() {
			unlocked := db.WithContext(context.WithoutCancel(ctx)).Exec("SELECT pg_advisory_unlock(?)", key)
			if err == nil {
				err = unlocked.Error
			}
		}()
		return s.sweep(db)
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
