// Package good uses the features of XORM as they are right.
package good

import (
	"errors"

	"xorm.io/builder"
	"xorm.io/xorm"
)

// Item is a row of item.
type Item struct {
	ID    int64  `xorm:"pk autoincr 'id'"`
	N     int64  `xorm:"'n'"`
	State string `xorm:"'state'"`
}

// Tag is a row of tag, whose names are unique.
type Tag struct {
	ID   int64  `xorm:"pk autoincr 'id'"`
	Name string `xorm:"unique 'name'"`
}

var errGone = errors.New("gone")

// Store keeps items.
type Store struct {
	engine *xorm.Engine
	group  *xorm.EngineGroup
}

func locked(sess *xorm.Session, id int64) *xorm.Session { return sess.ID(id).ForUpdate() }

// Lock locks the row in a transaction, on the group's engine.
func (s *Store) Lock(id int64) error {
	sess := s.group.NewSession()
	defer sess.Close()
	if err := sess.Begin(); err != nil {
		return err
	}
	it := new(Item)
	if has, err := locked(sess, id).Get(it); err != nil || !has {
		return err
	}
	it.N--
	if _, err := sess.ID(id).Cols("n").Update(it); err != nil {
		return err
	}
	return sess.Commit()
}

// Cols writes the column that was not read.
func (s *Store) Cols(id int64, state string) error {
	it := new(Item)
	if has, err := s.engine.ID(id).Get(it); err != nil || !has {
		return err
	}
	it.State = state
	_, err := s.engine.ID(id).Cols("state").Update(it)
	return err
}

// Find writes other rows than those that were read.
func (s *Store) Find(ids []int64) error {
	var its []Item
	if err := s.engine.In("id", ids).Find(&its); err != nil {
		return err
	}
	for _, it := range its {
		if _, err := s.engine.Insert(&Item{N: it.N, State: "copy"}); err != nil {
			return err
		}
	}
	return nil
}

// Count inserts a tag whose name keeps a second one out.
func (s *Store) Count(name string) error {
	n, err := s.engine.Where("name = ?", name).Count(new(Tag))
	if err != nil || n > 0 {
		return err
	}
	_, err = s.engine.Insert(&Tag{Name: name})
	return err
}

// Eq looks at the number of rows.
func (s *Store) Eq(id int64) error {
	n, err := s.engine.Where(builder.Eq{"id": id, "state": "new"}).Cols("state").Update(&Item{State: "done"})
	if err == nil && n == 0 {
		err = errGone
	}
	return err
}

// Delete does, too.
func (s *Store) Delete(id int64) error {
	n, err := s.engine.Delete(&Item{ID: id, State: "new"})
	if err == nil && n == 0 {
		err = errGone
	}
	return err
}
