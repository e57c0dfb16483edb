// Package wallet reads wallets with the lock that a caller asks for, with GORM.
package wallet

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// A Wallet is a row of wallets.
type Wallet struct {
	ID     int64
	Amount int64
}

// Strength is the strength of a row lock.
type Strength string

// The strengths.
const (
	None   Strength = "NONE"
	Update Strength = "UPDATE"
)

// Store is over a pool.
type Store struct{ db *gorm.DB }

// NewStore returns a store.
func NewStore(db *gorm.DB) *Store { return &Store{db: db} }

func find(tx *gorm.DB, id int64, s Strength) (*Wallet, error) {
	if s != None {
		tx = tx.Clauses(clause.Locking{Strength: string(s)})
	}
	var w Wallet
	if err := tx.First(&w, "id = ?", id).Error; err != nil {
		return nil, err
	}
	return &w, nil
}

func get(db *gorm.DB, id int64, lock bool) (*Wallet, error) {
	q := db.Model(&Wallet{})
	if lock {
		q = q.Clauses(clause.Locking{Strength: "UPDATE"})
	}
	var w Wallet
	if err := q.Where("id = ?", id).First(&w).Error; err != nil {
		return nil, err
	}
	return &w, nil
}

// Charge asks for a lock that ends with the read.
func (s *Store) Charge(ctx context.Context, id int64) error {
	w, err := find(s.db.WithContext(ctx), id, Update) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	w.Amount--
	return s.db.WithContext(ctx).Save(w).Error
}

// Refund does the same with a flag.
func (s *Store) Refund(ctx context.Context, id int64) error {
	w, err := get(s.db.WithContext(ctx), id, true) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	w.Amount++
	return s.db.WithContext(ctx).Save(w).Error
}

// Spend asks for no lock.
func (s *Store) Spend(id int64) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		w, err := find(tx, id, None)
		if err != nil {
			return err
		}
		w.Amount--
		return tx.Save(w).Error // expect: lostupdate
	})
}

// Earn does the same with a flag.
func (s *Store) Earn(id int64) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		w, err := get(tx, id, false)
		if err != nil {
			return err
		}
		w.Amount++
		return tx.Save(w).Error // expect: lostupdate
	})
}
