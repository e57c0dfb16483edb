// Package bad keeps rooms with dbr.
package bad

import (
	"errors"
	"net/http"

	"github.com/gocraft/dbr/v2"
)

type Room struct {
	ID    int64
	Guest string
	Stays int64
}

type Rooms struct{ sess *dbr.Session }

// Book locks the room outside of a transaction.
func (r *Rooms) Book(id int64, guest string) error {
	var room Room
	err := r.sess.Select("id", "guest").From("rooms").Where("id = ?", id).Suffix("FOR UPDATE").LoadOne(&room) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	if room.Guest != "" {
		return errors.New("booked")
	}
	_, err = r.sess.Update("rooms").Set("guest", guest).Where("id = ?", id).Exec()
	return err
}

// Leave writes beside its transaction and calls a web server in it.
func (r *Rooms) Leave(id int64) error {
	tx, err := r.sess.Begin()
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if _, err := tx.Update("rooms").Set("guest", "").Where("id = ?", id).Exec(); err != nil {
		return err
	}
	if _, err := r.sess.InsertInto("log").Columns("room").Values(id).Exec(); err != nil { // expect: poolintx
		return err
	}
	if _, err := http.Get("https://cleaning.example/room"); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit()
}

// Stay writes what it has computed from a row that others can change.
func (r *Rooms) Stay(id int64) error {
	tx, err := r.sess.Begin()
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	var stays int64
	if err := tx.Select("stays").From("rooms").Where("id = ?", id).LoadOne(&stays); err != nil {
		return err
	}
	if _, err := tx.Update("rooms").Set("stays", stays+1).Where("id = ?", id).Exec(); err != nil { // expect: lostupdate
		return err
	}
	return tx.Commit()
}
