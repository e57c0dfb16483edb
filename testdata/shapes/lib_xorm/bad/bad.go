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

// TakeInParts adds to the session in statements of their own, and begins nothing.
func (l *Lockers) TakeInParts(id int64, who string) error {
	sess := l.engine.NewSession()
	defer sess.Close()
	locker := new(Locker)
	sess.Where("id = ?", id)
	sess.ForUpdate()
	if _, err := sess.Get(locker); err != nil { // expect: lockoutsidetx
		return err
	}
	if locker.Owner != "" {
		return errTaken
	}
	locker.Owner = who
	_, err := sess.ID(id).Cols("owner").Update(locker)
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

// Clear writes back all of the row that it has read, the owner among it.
func (l *Lockers) Clear(id int64) error {
	return l.inTx(func(sess *xorm.Session) error {
		locker := &Locker{ID: id}
		if has, err := sess.Get(locker); err != nil || !has {
			return err
		}
		locker.Uses = 0
		_, err := sess.ID(locker.ID).AllCols().Update(locker) // expect: lostupdate
		return err
	})
}

// A Key opens lockers; its version is XORM's to compare and to raise.
type Key struct {
	ID      int64 `xorm:"pk autoincr 'id'"`
	Lent    bool  `xorm:"'lent'"`
	Version int   `xorm:"version"`
}

// Lend says that the key is lent, also where somebody else has changed it.
func (l *Lockers) Lend(id int64) error {
	key := new(Key)
	if has, err := l.engine.ID(id).Get(key); err != nil || !has {
		return err
	}
	key.Lent = true
	_, err := l.engine.ID(id).Cols("lent").Update(key) // expect: rowsaffected
	return err
}

// A Tag is on a locker; no key keeps a second one out.
type Tag struct {
	ID     int64  `xorm:"pk autoincr 'id'"`
	Locker int64  `xorm:"index 'locker'"`
	Text   string `xorm:"VARCHAR(20) text_on_it"`
}

// Tag adds the tag where there is none.
func (l *Lockers) Tag(locker int64, text string) error {
	return l.inTx(func(sess *xorm.Session) error {
		has, err := sess.Exist(&Tag{Locker: locker, Text: text})
		if err != nil || has {
			return err
		}
		_, err = sess.Insert(&Tag{Locker: locker, Text: text}) // expect: lostupdate
		return err
	})
}
