package good

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
	return a.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var acc Account
		if err := tx.Scopes(forUpdate).First(&acc, id).Error; err != nil {
			return err
		}
		if acc.Balance < sum {
			return errors.New("low")
		}
		return tx.Model(&acc).Update("balance", acc.Balance-sum).Error
	})
}
