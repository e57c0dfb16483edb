package bad

import (
	"database/sql"
	"errors"

	"github.com/go-gorp/gorp/v3"
)

// A Lease is a row of leases.
type Lease struct {
	ID     int64  `db:"id"`
	Holder string `db:"holder"`
	Days   int64  `db:"days_left"`
}

const leases = "leases"

func mapTables(db *gorp.DbMap) {
	t := db.AddTableWithName(Lease{}, leases).SetKeys(true, "id")
	t.ColMap("Holder").SetMaxSize(40)
}

// Use counts down what it has read.
func (s *Store) Use(id int64) error {
	obj, err := s.db.Get(Lease{}, id)
	if err != nil {
		return err
	}
	l, ok := obj.(*Lease)
	if !ok {
		return errors.New("no such lease")
	}
	l.Days--
	_, err = s.db.Update(l) // expect: lostupdate
	return err
}

// Count writes a number that it has read alone.
func (s *Store) Count(id int64) error {
	n, err := s.db.SelectInt("SELECT days_left FROM leases WHERE id = $1", id)
	if err != nil {
		return err
	}
	_, err = s.db.Exec("UPDATE leases SET days_left = $1 WHERE id = $2", n-1, id) // expect: lostupdate
	return err
}

// Open makes a lease for a holder who has none.
func (s *Store) Open(holder string) error {
	var l Lease
	err := s.db.SelectOne(&l, "SELECT * FROM leases WHERE holder = $1", holder)
	if errors.Is(err, sql.ErrNoRows) {
		return s.db.Insert(&Lease{Holder: holder, Days: 30}) // expect: lostupdate
	}
	return err
}
