package bad

import (
	"context"
	"errors"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Account struct {
	ID      uint
	Balance int64
}

func forUpdate(db *gorm.DB) *gorm.DB {
	return db.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
}

type Accounts struct{ db *gorm.DB }

func NewAccounts(db *gorm.DB) *Accounts { return &Accounts{db: db} }

func (a *Accounts) Debit(ctx context.Context, id uint, sum int64) error {
	var acc Account
	db := a.db.WithContext(ctx)
	if err := db.Scopes(forUpdate).First(&acc, id).Error; err != nil { // expect: lockoutsidetx
		return err
	}
	if acc.Balance < sum {
		return errors.New("low")
	}
	return db.Model(&acc).Update("balance", acc.Balance-sum).Error // also: lostupdate
}

// Close shows that the root handle is what a.db is.
func (a *Accounts) Close(ctx context.Context, id uint) error {
	return a.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Delete(&Account{}, id).Error
	})
}
