// Package good locks, computes in SQL or restates, with GORM.
package good

import (
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Coupon struct {
	ID    uint `gorm:"primaryKey"`
	Code  string
	Uses  int
	Limit int
	Label string
}

var ErrUsedUp = errors.New("used up")

type Shop struct{ db *gorm.DB }

func forUpdate(db *gorm.DB) *gorm.DB { return db.Clauses(clause.Locking{Strength: "UPDATE"}) }

func (s *Shop) Redeem(code string) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		var c Coupon
		if err := tx.Scopes(forUpdate).Where("code = ?", code).First(&c).Error; err != nil {
			return err
		}
		if c.Uses >= c.Limit {
			return ErrUsedUp
		}
		return tx.Model(&c).Update("uses", c.Uses+1).Error
	})
}

func (s *Shop) RedeemGuarded(id uint) error {
	c := &Coupon{}
	if err := s.db.First(c, id).Error; err != nil {
		return err
	}
	res := s.db.Model(c).Where("uses < ?", c.Limit).UpdateColumn("uses", gorm.Expr("uses + 1"))
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrUsedUp
	}
	return res.Error
}

func (s *Shop) Label(id uint, label string) error {
	c := &Coupon{}
	if err := s.db.First(c, id).Error; err != nil {
		return err
	}
	c.Label = label
	return s.db.Model(c).Select("label").Updates(c).Error
}

func (s *Shop) Create(code string) (*Coupon, error) {
	c := &Coupon{Code: code, Limit: 3}
	if err := s.db.Create(c).Error; err != nil {
		return nil, err
	}
	c.Label = "coupon " + code
	return c, s.db.Save(c).Error
}
