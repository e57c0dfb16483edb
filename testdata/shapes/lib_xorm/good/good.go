// Package good keeps lockers with XORM.
package good

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

func (l *Lockers) Take(id int64, who string) error {
	sess := l.engine.NewSession()
	defer sess.Close()
	if err := sess.Begin(); err != nil {
		return err
	}
	var locker Locker
	if _, err := sess.ID(id).ForUpdate().Get(&locker); err != nil {
		sess.Rollback()
		return err
	}
	if locker.Owner != "" {
		sess.Rollback()
		return errTaken
	}
	locker.Owner = who
	if _, err := sess.ID(id).Cols("owner").Update(&locker); err != nil {
		sess.Rollback()
		return err
	}
	return sess.Commit()
}

// lock is called with a session in a transaction; who calls it decides.
func lock(sess *xorm.Session, id int64) (*Locker, error) {
	locker := new(Locker)
	_, err := sess.ID(id).ForUpdate().Get(locker)
	return locker, err
}

func (l *Lockers) Move(from, to int64) error {
	_, err := l.engine.Transaction(func(sess *xorm.Session) (any, error) {
		if _, err := lock(sess, from); err != nil {
			return nil, err
		}
		return count(sess, to)
	})
	return err
}

// count takes an engine or a session.
func count(db xorm.Interface, id int64) (int64, error) {
	return db.ID(id).Incr("uses").Update(new(Locker))
}

func (l *Lockers) Announce(id int64, url string) error {
	sess := l.engine.NewSession()
	defer sess.Close()
	if err := sess.Begin(); err != nil {
		return err
	}
	if _, err := count(sess, id); err != nil {
		return err
	}
	if err := sess.Commit(); err != nil {
		return err
	}
	if _, err := http.Get(url); err != nil {
		return err
	}
	_, err := count(l.engine, id)
	return err
}

// TakeInParts adds to the session in statements of their own.
func (l *Lockers) TakeInParts(id int64, who string) error {
	sess := l.engine.NewSession()
	defer sess.Close()
	if err := sess.Begin(); err != nil {
		return err
	}
	locker := new(Locker)
	sess.ForUpdate()
	if _, err := sess.ID(id).Get(locker); err != nil {
		return err
	}
	locker.Owner += who
	if _, err := sess.ID(id).Cols("owner").Update(locker); err != nil {
		return err
	}
	return sess.Commit()
}

func (l *Lockers) Use(id int64) error {
	_, err := l.engine.ID(id).Incr("uses").Update(new(Locker))
	return err
}
