// Package bad keeps licenses with gorp.
package bad

import (
	"context"
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

// Take locks the license outside of any transaction.
func (s *Store) Take(ctx context.Context, id int64) error {
	var l License
	if err := s.db.WithContext(ctx).SelectOne(&l, "SELECT id, seats FROM licenses WHERE id = $1 FOR UPDATE", id); err != nil { // expect: lockoutsidetx
		return err
	}
	if l.Seats == 0 {
		return errors.New("no seats")
	}
	_, err := s.db.Exec("UPDATE licenses SET seats = seats - 1 WHERE id = $1", id)
	return err
}

// Renew runs a statement beside its own transaction.
func (s *Store) Renew(id int64) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	if _, err := tx.Exec("UPDATE licenses SET until = now() + '1 year' WHERE id = $1", id); err != nil {
		tx.Rollback()
		return err
	}
	if _, err := s.db.SelectInt("SELECT count(*) FROM licenses"); err != nil { // expect: poolintx
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// Import calls another service before it commits.
func (s *Store) Import(l *License, source string) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Insert(l); err != nil {
		return err
	}
	if _, err := http.Get(source); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit()
}
