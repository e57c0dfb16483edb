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

// inTx runs fn in a transaction.
func (l *Lockers) inTx(fn func(sess *xorm.Session) error) error {
	sess := l.engine.NewSession()
	defer sess.Close()
	if err := sess.Begin(); err != nil {
		return err
	}
	if err := fn(sess); err != nil {
		sess.Rollback()
		return err
	}
	return sess.Commit()
}

// Clear locks in the transaction of a function of one's own.
func (l *Lockers) Clear(id int64) error {
	return l.inTx(func(sess *xorm.Session) error {
		if _, err := sess.Exec("SET LOCAL lock_timeout = '1s'"); err != nil {
			return err
		}
		locker, err := lock(sess, id)
		if err != nil {
			return err
		}
		locker.Uses = 0
		_, err = sess.ID(locker.ID).AllCols().Update(locker)
		return err
	})
}

// A Key opens lockers; its version is XORM's to compare and to raise.
type Key struct {
	ID      int64 `xorm:"pk autoincr 'id'"`
	Lent    bool  `xorm:"'lent'"`
	Version int   `xorm:"version"`
}

func (l *Lockers) Lend(id int64) error {
	key := new(Key)
	if has, err := l.engine.ID(id).Get(key); err != nil || !has {
		return err
	}
	key.Lent = true
	n, err := l.engine.ID(id).Cols("lent").Update(key)
	if err == nil && n == 0 {
		err = errTaken
	}
	return err
}

// A Label is on a locker, which has one of each text.
type Label struct {
	ID     int64  `xorm:"pk autoincr 'id'"`
	Locker int64  `xorm:"unique(one) 'locker'"`
	Text   string `xorm:"VARCHAR(20) unique(one) text_on_it"`
}

func (l *Lockers) Label(locker int64, text string) error {
	return l.inTx(func(sess *xorm.Session) error {
		has, err := sess.Exist(&Label{Locker: locker, Text: text})
		if err != nil || has {
			return err
		}
		_, err = sess.Insert(&Label{Locker: locker, Text: text})
		return err
	})
}

// withFilters adds what the caller asks for, in a loop.
func withFilters(sess *xorm.Session, owners []string) ([]Locker, error) {
	for _, o := range owners {
		sess.Or("owner = ?", o)
	}
	var lockers []Locker
	err := sess.Find(&lockers)
	return lockers, err
}

// Count only reads, on the engine, after a chain that was given up.
func (l *Lockers) Count(owners []string) (int, error) {
	sess := l.engine.NewSession()
	defer sess.Close()
	lockers, err := withFilters(sess, owners)
	return len(lockers), err
}
