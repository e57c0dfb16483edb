// Package good counts for a message, and lets SQL decide.
package good

import (
	"errors"
	"log"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Team struct{ ID uint }

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
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&Team{}, team).Error; err != nil {
			return err
		}
		var n int64
		if err := tx.Model(&Member{}).Where("team_id = ?", team).Count(&n).Error; err != nil {
			return err
		}
		if n >= t.max {
			return ErrFull
		}
		return tx.Create(&Member{TeamID: team, UserID: user}).Error
	})
}

func (t *Teams) JoinLogged(team, user uint) error {
	var n int64
	if err := t.db.Model(&Member{}).Where("team_id = ?", team).Count(&n).Error; err != nil {
		return err
	}
	log.Printf("%d members so far", n)
	return t.db.Create(&Member{TeamID: team, UserID: user}).Error
}
