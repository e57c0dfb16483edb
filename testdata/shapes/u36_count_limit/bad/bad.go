// Package bad counts before it adds.
package bad

import (
	"errors"

	"gorm.io/gorm"
)

type Member struct {
	ID     uint
	TeamID uint
	UserID uint
}

var ErrFull = errors.New("the team is full")

type Teams struct {
	db  *gorm.DB
	max int64
}

func (t *Teams) Join(team, user uint) error {
	return t.db.Transaction(func(tx *gorm.DB) error {
		var n int64
		if err := tx.Model(&Member{}).Where("team_id = ?", team).Count(&n).Error; err != nil {
			return err
		}
		if n >= t.max {
			return ErrFull
		}
		return tx.Create(&Member{TeamID: team, UserID: user}).Error // expect: lostupdate
	})
}
