package good

import (
	"database/sql"
	"errors"

	"github.com/go-gorp/gorp/v3"
)

// A Lease is a row of leases, whose version gorp compares.
type Lease struct {
	ID    int64  `db:"id"`
	Days  int64  `db:"days_left"`
	State string `db:"state"`
	Lock  int64  `db:"lock"`
}

// A Holder is a row of holders.
type Holder struct {
	Name  string `db:"name,primarykey"`
	Email string `db:"email"`
	Uses  int64  `db:"uses"`
}

// A Tag is a row of a table that is chosen at run time.
type Tag struct {
	ID   int64 `db:"id"`
	Uses int64 `db:"uses"`
}

func mapTables(db *gorp.DbMap, tags string) {
	t := db.AddTableWithName(Lease{}, "leases").SetKeys(true, "ID")
	t.SetVersionCol("Lock")
	db.AddTableWithName(Holder{}, "holders").SetUniqueTogether("email", "uses")
	db.AddTableWithName(Tag{}, tags).SetKeys(true, "ID")
}

// Use gets an error where somebody else has used the lease.
func (s *Store) Use(id int64) error {
	obj, err := s.db.Get(Lease{}, id)
	if err != nil {
		return err
	}
	l, ok := obj.(*Lease)
	if !ok || l.State != "open" {
		return errors.New("no such lease")
	}
	l.Days--
	_, err = s.db.Update(l)
	return err
}

// Drop gets it too.
func (s *Store) Drop(l *Lease) error {
	_, err := s.db.Delete(l)
	return err
}

// Register makes a holder, whose name is the key.
func (s *Store) Register(name string) error {
	obj, err := s.db.Get(Holder{}, name)
	if err != nil || obj != nil {
		return err
	}
	return s.db.Insert(&Holder{Name: name})
}

// Invite makes a holder whose address is unique.
func (s *Store) Invite(email string) error {
	var h Holder
	err := s.db.SelectOne(&h, "SELECT * FROM holders WHERE email = $1", email)
	if errors.Is(err, sql.ErrNoRows) {
		return s.db.Insert(&Holder{Name: email, Email: email})
	}
	return err
}

// Mark writes a table that nobody knows.
func (s *Store) Mark(id int64) error {
	obj, err := s.db.Get(Tag{}, id)
	if err != nil || obj == nil {
		return err
	}
	t := obj.(*Tag)
	t.Uses++
	_, err = s.db.Update(t)
	return err
}
