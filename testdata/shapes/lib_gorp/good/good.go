// Package good keeps licenses with gorp.
package good

import (
	"database/sql"
	"errors"
	"net/http"

	"github.com/go-gorp/gorp/v3"
)

type License struct {
	ID    int64 `db:"id"`
	Seats int64 `db:"seats"`
}

type Store struct{ db *gorp.DbMap }

// NewStore opens the store.
func NewStore(db *sql.DB) *Store {
	return &Store{db: &gorp.DbMap{Db: db, Dialect: gorp.PostgresDialect{}}}
}

func (s *Store) Take(id int64) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	l, err := locked(tx, id)
	if err != nil {
		return err
	}
	if l.Seats == 0 {
		return errors.New("no seats")
	}
	l.Seats--
	if _, err := tx.Update(l); err != nil {
		return err
	}
	return tx.Commit()
}

// locked is called with a transaction.
func locked(db gorp.SqlExecutor, id int64) (*License, error) {
	var l License
	err := db.SelectOne(&l, "SELECT id, seats FROM licenses WHERE id = $1 FOR UPDATE", id)
	return &l, err
}

func (s *Store) Renew(id int64) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	if _, err := tx.Exec("UPDATE licenses SET until = now() + '1 year' WHERE id = $1", id); err != nil {
		tx.Rollback()
		return err
	}
	if _, err := tx.SelectInt("SELECT count(*) FROM licenses"); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

func (s *Store) Import(l *License, source string) error {
	if _, err := http.Get(source); err != nil {
		return err
	}
	return s.db.Insert(l)
}
