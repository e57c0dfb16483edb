// Package sessions keeps runtimes in sessions that are a transaction's or the
// pool's, as the field transaction says.
package sessions

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gocraft/dbr/v2"
)

// A Runtime is a row of runtimes.
type Runtime struct {
	ID      string `db:"id"`
	State   string `db:"state"`
	Version int    `db:"version"`
}

// A Session reads and writes.
type Session struct {
	session     *dbr.Session
	transaction *dbr.Tx
}

func (s Session) update(table string) *dbr.UpdateStmt {
	if s.transaction != nil {
		return s.transaction.Update(table)
	}
	return s.session.Update(table)
}

func (s Session) insertInto(table string) *dbr.InsertStmt {
	if s.transaction != nil {
		return s.transaction.InsertInto(table)
	}
	return s.session.InsertInto(table)
}

// Get reads a runtime.
func (s Session) Get(id string) (r Runtime, err error) {
	err = s.session.Select("id", "state", "version").From("runtimes").Where(dbr.Eq("id", id)).LoadOne(&r)
	return r, err
}

// SetState writes a state.
func (s Session) SetState(id, state string) error {
	_, err := s.update("runtimes").Where(dbr.Eq("id", id)).Set("state", state).Exec()
	return err
}

// SetVersion writes a version.
func (s Session) SetVersion(id string, version int) error {
	_, err := s.update("runtimes").Where(dbr.Eq("id", id)).Set("version", version).Exec()
	return err
}

// Save writes what nobody else has written since; nobody is told if it does not.
func (s Session) Save(r Runtime) error {
	_, err := s.update("runtimes"). // expect: rowsaffected
					Where(dbr.Eq("id", r.ID)).
					Where(dbr.Eq("version", r.Version)).
					Set("state", r.State).
					Set("version", r.Version+1).
					Exec()
	return err
}

// Note adds to the log.
func (s Session) Note(id, text string) error {
	_, err := s.insertInto("log").Pair("runtime", id).Pair("text", text).Exec()
	return err
}

// Commit ends the transaction.
func (s Session) Commit() error { return s.transaction.Commit() }

// Rollback does so unless it is committed.
func (s Session) Rollback() { s.transaction.RollbackUnlessCommitted() }

// An Opener begins sessions in a transaction, for who knows no database.
type Opener interface{ Open() (Transaction, error) }

// A Transaction is a session in one.
type Transaction interface {
	SetState(id, state string) error
	Commit() error
	Rollback()
}

// Open is Begin for an Opener.
func (f *Factory) Open() (Transaction, error) { return f.Begin() }

// A Factory makes sessions.
type Factory struct{ conn *dbr.Connection }

// Session is a session on the pool.
func (f *Factory) Session() Session { return Session{session: f.conn.NewSession(nil)} }

// Begin is a session in a transaction.
func (f *Factory) Begin() (Session, error) {
	sess := f.conn.NewSession(nil)
	tx, err := sess.Begin()
	if err != nil {
		return Session{}, fmt.Errorf("begin: %w", err)
	}
	return Session{session: sess, transaction: tx}, nil
}

// Start asks for a cluster while the runtime is locked.
func Start(f *Factory, id string) error {
	s, err := f.Begin()
	if err != nil {
		return err
	}
	defer s.Rollback()
	if err := s.SetState(id, "starting"); err != nil {
		return err
	}
	resp, err := http.Post("https://clusters.example/"+id, "text/plain", http.NoBody) // expect: externalcall
	if err != nil {
		return err
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	return s.Commit()
}

// Upgrade reads beside the transaction, and writes what it has made of it.
func Upgrade(f *Factory, id string) error {
	s, err := f.Begin()
	if err != nil {
		return err
	}
	defer s.Rollback()
	r, err := s.Get(id) // expect: poolintx
	if err != nil {
		return err
	}
	if r.State != "ready" {
		return errors.New("not ready")
	}
	if err := s.SetVersion(id, r.Version+1); err != nil { // expect: lostupdate
		return err
	}
	if err := s.Note(id, "upgraded"); err != nil {
		return err
	}
	return s.Commit()
}

// read reads a runtime, and locks it if asked to.
func (s Session) read(id string, lock bool) (r Runtime, err error) {
	stmt := s.transaction.Select("id", "state", "version").From("runtimes").Where(dbr.Eq("id", id))
	if lock {
		stmt.Suffix("FOR UPDATE")
	}
	err = stmt.LoadOne(&r)
	return r, err
}

// Bump reads without the lock that it could ask for.
func Bump(f *Factory, id string) error {
	s, err := f.Begin()
	if err != nil {
		return err
	}
	defer s.Rollback()
	r, err := s.read(id, false)
	if err != nil {
		return err
	}
	if err := s.SetVersion(id, r.Version+1); err != nil { // expect: lostupdate
		return err
	}
	return s.Commit()
}

// BumpLocked asks for it.
func BumpLocked(f *Factory, id string) error {
	s, err := f.Begin()
	if err != nil {
		return err
	}
	defer s.Rollback()
	r, err := s.read(id, true)
	if err != nil {
		return err
	}
	if err := s.SetVersion(id, r.Version+1); err != nil {
		return err
	}
	return s.Commit()
}
