// Package bad keeps invitations with Pop.
package bad

import (
	"errors"
	"net/http"

	"github.com/gobuffalo/pop/v6"
)

type Invitation struct {
	ID   int64 `db:"id"`
	Uses int64 `db:"uses"`
}

type Invitations struct{ db *pop.Connection }

func Open(env string) (*Invitations, error) {
	db, err := pop.Connect(env)
	return &Invitations{db: db}, err
}

// Redeem locks the row outside of a transaction.
func (s *Invitations) Redeem(id int64) error {
	db, err := pop.Connect("production")
	if err != nil {
		return err
	}
	var inv Invitation
	if err := db.RawQuery("SELECT * FROM invitations WHERE id = ? FOR UPDATE", id).First(&inv); err != nil { // expect: lockoutsidetx
		return err
	}
	if inv.Uses == 0 {
		return errors.New("used up")
	}
	return db.RawQuery("UPDATE invitations SET uses = uses - 1 WHERE id = ?", id).Exec()
}

// Extend writes beside its transaction and calls a web server in it.
func (s *Invitations) Extend(id int64) error {
	return s.db.Transaction(func(tx *pop.Connection) error {
		if err := tx.RawQuery("UPDATE invitations SET uses = uses + 1 WHERE id = ?", id).Exec(); err != nil {
			return err
		}
		if err := s.db.RawQuery("INSERT INTO log (invitation) VALUES (?)", id).Exec(); err != nil { // expect: poolintx
			return err
		}
		_, err := http.Get("https://mail.example/extended") // expect: externalcall
		return err
	})
}

// Count writes what it has computed from a row that others can change.
func (s *Invitations) Count(id int64) error {
	tx, err := s.db.NewTransaction()
	if err != nil {
		return err
	}
	inv := new(Invitation)
	if err := tx.Find(inv, id); err != nil {
		tx.TX.Rollback()
		return err
	}
	inv.Uses++
	if err := tx.UpdateColumns(inv, "uses"); err != nil { // expect: lostupdate
		tx.TX.Rollback()
		return err
	}
	return tx.TX.Commit()
}
