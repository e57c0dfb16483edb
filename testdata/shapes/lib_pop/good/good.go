// Package good keeps invitations with Pop.
package good

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

func (s *Invitations) Redeem(id int64) error {
	return s.db.Transaction(func(tx *pop.Connection) error {
		inv, err := locked(tx, id)
		if err != nil {
			return err
		}
		if inv.Uses == 0 {
			return errors.New("used up")
		}
		inv.Uses--
		return tx.UpdateColumns(inv, "uses")
	})
}

// locked is called with a transaction.
func locked(db *pop.Connection, id int64) (*Invitation, error) {
	inv := new(Invitation)
	err := db.RawQuery("SELECT * FROM invitations WHERE id = ? FOR UPDATE", id).First(inv)
	return inv, err
}

func (s *Invitations) Extend(id int64) error {
	tx, err := s.db.NewTransaction()
	if err != nil {
		return err
	}
	if err := tx.RawQuery("UPDATE invitations SET uses = uses + 1 WHERE id = ?", id).Exec(); err != nil {
		tx.TX.Rollback()
		return err
	}
	if err := tx.TX.Commit(); err != nil {
		return err
	}
	if _, err := http.Get("https://mail.example/extended"); err != nil {
		return err
	}
	return s.db.RawQuery("INSERT INTO log (invitation) VALUES (?)", id).Exec()
}

// Try writes in a transaction that Rollback takes back whatever happens.
func (s *Invitations) Try(id int64) (err error) {
	rerr := s.db.Rollback(func(tx *pop.Connection) {
		if err = tx.RawQuery("UPDATE invitations SET uses = uses + 1 WHERE id = ?", id).Exec(); err != nil {
			return
		}
		err = tx.RawQuery("INSERT INTO log (invitation) VALUES (?)", id).Exec()
	})
	return errors.Join(err, rerr)
}
