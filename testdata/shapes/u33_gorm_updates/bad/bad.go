// Package bad computes in Go what GORM writes.
package bad

import (
	"errors"

	"gorm.io/gorm"
)

type Coupon struct {
	ID    uint `gorm:"primaryKey"`
	Code  string
	Uses  int
	Limit int
}

var ErrUsedUp = errors.New("used up")

type Shop struct{ db *gorm.DB }

func (s *Shop) Redeem(code string) error {
	return s.db.Transaction(func(tx *gorm.DB) error {
		var c Coupon
		if err := tx.Where("code = ?", code).First(&c).Error; err != nil {
			return err
		}
		if c.Uses >= c.Limit {
			return ErrUsedUp
		}
		return tx.Model(&c).Update("uses", c.Uses+1).Error // expect: lostupdate
	})
}

func (s *Shop) RedeemMap(id uint) error {
	var c Coupon
	if err := s.db.Take(&c, "id = ?", id).Error; err != nil {
		return err
	}
	return s.db.Model(&Coupon{}).Where("id = ?", id).Updates(map[string]interface{}{"uses": c.Uses + 1}).Error // expect: lostupdate
}

func (s *Shop) RedeemStruct(id uint) error {
	c := &Coupon{}
	if err := s.db.First(c, id).Error; err != nil {
		return err
	}
	c.Uses += 1
	return s.db.Updates(c).Error // expect: lostupdate
}

func (s *Shop) RedeemExpr(id uint) error {
	c := &Coupon{}
	if err := s.db.First(c, id).Error; err != nil {
		return err
	}
	if c.Uses >= c.Limit {
		return ErrUsedUp
	}
	return s.db.Model(c).UpdateColumn("uses", gorm.Expr("uses + ?", 1)).Error // expect: lostupdate
}
