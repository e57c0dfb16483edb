// Package bad keeps lockers with XORM.
package bad

import (
	"errors"
	"net/http"

	"xorm.io/xorm"
)

type Locker struct {
	ID    int64  `xorm:"pk autoincr 'id'"`
	Owner string `xorm:"'owner'"`
	Uses  int64  `xorm:"'uses'"`
}

var errTaken = errors.New("the locker is taken")

type Lockers struct{ engine *xorm.Engine }

// Take locks the row in a session that never begins a transaction.
func (l *Lockers) Take(id int64, who string) error {
	sess := l.engine.NewSession()
	defer sess.Close()
	var locker Locker
	if _, err := sess.ID(id).ForUpdate().Get(&locker); err != nil { // expect: lockoutsidetx
		return err
	}
	if locker.Owner != "" {
		return errTaken
	}
	locker.Owner = who
	_, err := sess.ID(id).Cols("owner").Update(&locker)
	return err
}

// TakeAtOnce locks the row with a session of the engine's own.
func (l *Lockers) TakeAtOnce(id int64, who string) error {
	var locker Locker
	has, err := l.engine.SQL("SELECT * FROM locker WHERE id = ? FOR UPDATE", id).Get(&locker) // expect: lockoutsidetx
	if err != nil || !has {
		return err
	}
	_, err = l.engine.Exec("UPDATE locker SET owner = ? WHERE id = ?", who, id)
	return err
}

// Move writes on the engine while its own session has a transaction open.
func (l *Lockers) Move(from, to int64) error {
	sess := l.engine.NewSession()
	defer sess.Close()
	if err := sess.Begin(); err != nil {
		return err
	}
	if _, err := sess.Exec("UPDATE locker SET owner = '' WHERE id = ?", from); err != nil {
		return err
	}
	if _, err := l.engine.ID(to).Incr("uses").Update(new(Locker)); err != nil { // expect: poolintx
		return err
	}
	return sess.Commit()
}

// Announce calls a web server before the commit.
func (l *Lockers) Announce(id int64, url string) error {
	_, err := l.engine.Transaction(func(sess *xorm.Session) (any, error) {
		if _, err := sess.ID(id).Incr("uses").Update(new(Locker)); err != nil {
			return nil, err
		}
		return http.Get(url) // expect: externalcall
	})
	return err
}

// Use counts up what it has read without a lock.
func (l *Lockers) Use(id int64) error {
	sess := l.engine.NewSession()
	defer sess.Close()
	if err := sess.Begin(); err != nil {
		return err
	}
	locker := new(Locker)
	if _, err := sess.ID(id).Get(locker); err != nil {
		return err
	}
	locker.Uses++
	if _, err := sess.ID(id).Cols("uses").Update(locker); err != nil { // expect: lostupdate
		return err
	}
	return sess.Commit()
}
