// Package good keeps rooms with dbr.
package good

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

func (r *Rooms) Book(id int64, guest string) error {
	tx, err := r.sess.Begin()
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	room, err := locked(tx, id)
	if err != nil {
		return err
	}
	if room.Guest != "" {
		return errors.New("booked")
	}
	if _, err := tx.Update("rooms").Set("guest", guest).Where("id = ?", id).Exec(); err != nil {
		return err
	}
	return tx.Commit()
}

// locked is called with a transaction.
func locked(db dbr.SessionRunner, id int64) (*Room, error) {
	room := new(Room)
	err := db.Select("id", "guest").From("rooms").Where("id = ?", id).Suffix("FOR UPDATE").LoadOne(room)
	return room, err
}

func (r *Rooms) Leave(id int64) error {
	tx, err := r.sess.Begin()
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if _, err := tx.Update("rooms").Set("guest", "").Where("id = ?", id).Exec(); err != nil {
		return err
	}
	if _, err := tx.InsertInto("log").Columns("room").Values(id).Exec(); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = http.Get("https://cleaning.example/room")
	return err
}

func (r *Rooms) Stay(id int64) error {
	_, err := r.sess.Update("rooms").IncrBy("stays", 1).Where("id = ?", id).Exec()
	return err
}
