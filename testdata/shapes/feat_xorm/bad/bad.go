// Package bad has one function for each feature of XORM that docs/libraries.md
// lists and that no other program shows.
package bad

import (
	"context"
	"errors"
	"net/http"
	"time"

	"xorm.io/builder"
	"xorm.io/xorm"
	"xorm.io/xorm/schemas"
)

// Item is a row of item.
type Item struct {
	ID    int64  `xorm:"pk autoincr 'id'"`
	N     int64  `xorm:"'n'"`
	State string `xorm:"'state'"`
}

// Tag is a row of tag; no key keeps two of the same name out.
type Tag struct {
	ID   int64  `xorm:"pk autoincr 'id'"`
	Item int64  `xorm:"'item'"`
	Name string `xorm:"'name'"`
}

// Note is a row of note, which is kept when it is deleted.
type Note struct {
	ID      int64     `xorm:"pk autoincr 'id'"`
	State   string    `xorm:"'state'"`
	Deleted time.Time `xorm:"deleted"`
}

// Place has a key of two columns.
type Place struct {
	Shelf int64 `xorm:"pk 'shelf'"`
	Slot  int64 `xorm:"pk 'slot'"`
	N     int64 `xorm:"'n'"`
}

// Counted is a part of rows.
type Counted struct {
	N int64 `xorm:"'n'"`
}

// Box is a row of box.
type Box struct {
	ID      int64 `xorm:"pk autoincr 'id'"`
	Counted `xorm:"extends"`
}

var errFew = errors.New("too few")

// Store keeps items.
type Store struct {
	engine *xorm.Engine
	group  *xorm.EngineGroup
}

func (s *Store) set(id int64) error {
	_, err := s.engine.Exec("UPDATE item SET n = 0 WHERE id = ?", id)
	return err
}

// Query runs a text.
func (s *Store) Query(id int64) error {
	if _, err := s.engine.QueryString("SELECT n FROM item WHERE id = ? FOR UPDATE", id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(id)
}

// DB is the pool of database/sql below.
func (s *Store) DB(ctx context.Context) error {
	_, err := s.engine.DB().ExecContext(ctx, "SET statement_timeout = 0") // missed: sessionset
	return err
}

// Group is a group of engines.
func (s *Store) Group(id int64) error {
	sess := s.group.NewSession()
	defer sess.Close()
	if _, err := sess.ID(id).ForUpdate().Get(new(Item)); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(id)
}

// Get reads by the fields of the bean.
func (s *Store) Get(id int64) error {
	it := &Item{ID: id}
	if has, err := s.engine.Get(it); err != nil || !has {
		return err
	}
	it.N++
	_, err := s.engine.ID(id).Cols("n").Update(it) // expect: lostupdate
	return err
}

// GetColumn reads a column into a variable.
func (s *Store) GetColumn(id int64) error {
	var n int64
	if has, err := s.engine.Table("item").Where("id = ?", id).Cols("n").Get(&n); err != nil || !has {
		return err
	}
	_, err := s.engine.Table("item").Where("id = ?", id).Update(map[string]any{"n": n + 1}) // expect: lostupdate
	return err
}

// Find reads rows into a slice.
func (s *Store) Find() error {
	var its []*Item
	if err := s.engine.Where("n > ?", 0).Find(&its); err != nil {
		return err
	}
	for _, it := range its {
		it.N--
		if _, err := s.engine.ID(it.ID).Cols("n").Update(it); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Iterate calls a function with each row.
func (s *Store) Iterate() error {
	return s.engine.Where("n > ?", 0).Iterate(new(Item), func(_ int, bean any) error {
		it := bean.(*Item)
		it.N--
		_, err := s.engine.ID(it.ID).Cols("n").Update(it) // missed: lostupdate
		return err
	})
}

// Rows are read one by one.
func (s *Store) Rows() error {
	rows, err := s.engine.Where("n > ?", 0).Rows(new(Item))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		it := new(Item)
		if err := rows.Scan(it); err != nil {
			return err
		}
		it.N--
		if _, err := s.engine.ID(it.ID).Cols("n").Update(it); err != nil { // missed: lostupdate
			return err
		}
	}
	return rows.Err()
}

// Count counts rows.
func (s *Store) Count(item int64) error {
	n, err := s.engine.Where("item = ?", item).Count(new(Tag))
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err = s.engine.Insert(&Tag{Item: item}) // expect: lostupdate
	return err
}

// In is a list of values.
func (s *Store) In(ids []int64) error {
	var its []Item
	if err := s.engine.In("id", ids).Find(&its); err != nil {
		return err
	}
	for _, it := range its {
		it.N--
		if _, err := s.engine.ID(it.ID).Cols("n").Update(&it); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// NotZero writes the fields that are not zero.
func (s *Store) NotZero(id int64) error {
	it := new(Item)
	if has, err := s.engine.ID(id).Get(it); err != nil || !has {
		return err
	}
	it.N++
	_, err := s.engine.ID(id).Update(it) // expect: lostupdate
	return err
}

// Guard is a condition beside the key, with Decr.
func (s *Store) Guard(id, n int64) error {
	_, err := s.engine.Where("id = ? AND n >= ?", id, n).Decr("n", n).Update(new(Item)) // expect: rowsaffected
	return err
}

// SetExpr writes an expression.
func (s *Store) SetExpr(id int64) error {
	_, err := s.engine.ID(id).Where("state = ?", "new").SetExpr("n", "n + 1").Update(new(Item)) // expect: rowsaffected
	return err
}

// Beans are conditions of an UPDATE.
func (s *Store) Beans(id int64) error {
	_, err := s.engine.Update(&Item{State: "done"}, &Item{ID: id, State: "new"}) // expect: rowsaffected
	return err
}

// Delete deletes a row by a bean.
func (s *Store) Delete(id int64) error {
	_, err := s.engine.Delete(&Item{ID: id, State: "new"}) // expect: rowsaffected
	return err
}

// SoftDelete keeps the row.
func (s *Store) SoftDelete(id int64) error {
	_, err := s.engine.Where("id = ? AND state = ?", id, "new").Delete(new(Note)) // expect: rowsaffected
	return err
}

// Eq are conditions in a map.
func (s *Store) Eq(id int64) error {
	_, err := s.engine.Where(builder.Eq{"id": id, "state": "new"}).Cols("state").Update(&Item{State: "done"}) // expect: rowsaffected
	return err
}

// Builder has other conditions.
func (s *Store) Builder(id int64) error {
	_, err := s.engine.Where(builder.And(builder.Eq{"id": id}, builder.Neq{"state": "done"})).Cols("state").Update(&Item{State: "done"}) // missed: rowsaffected
	return err
}

// Join reads a row by one of another table.
func (s *Store) Join(name string) error {
	it := new(Item)
	if has, err := s.engine.Join("INNER", "tag", "tag.item = item.id").Where("tag.name = ?", name).Get(it); err != nil || !has {
		return err
	}
	it.N++
	_, err := s.engine.ID(it.ID).Cols("n").Update(it) // missed: lostupdate
	return err
}

// Key is a key of two columns.
func (s *Store) Key(shelf, slot int64) error {
	p := new(Place)
	if has, err := s.engine.ID(schemas.PK{shelf, slot}).Get(p); err != nil || !has {
		return err
	}
	p.N++
	_, err := s.engine.ID(schemas.PK{shelf, slot}).Cols("n").Update(p) // missed: lostupdate
	return err
}

// Extends is a struct in the bean.
func (s *Store) Extends(id int64) error {
	b := new(Box)
	if has, err := s.engine.ID(id).Get(b); err != nil || !has {
		return err
	}
	b.N++
	_, err := s.engine.ID(id).Cols("n").Update(b) // expect: lostupdate
	return err
}

// MustCols writes a column that may be zero.
func (s *Store) MustCols(id int64) error {
	it := new(Item)
	if has, err := s.engine.ID(id).Get(it); err != nil || !has {
		return err
	}
	it.N--
	_, err := s.engine.ID(id).MustCols("n").Update(it) // missed: lostupdate
	return err
}

// Omit leaves columns out.
func (s *Store) Omit(id int64) error {
	it := new(Item)
	if has, err := s.engine.ID(id).Get(it); err != nil || !has {
		return err
	}
	it.N++
	_, err := s.engine.ID(id).Omit("state").Update(it) // missed: lostupdate
	return err
}

// Lock locks a row in a session that has begun nothing, by a function.
func (s *Store) Lock(id int64) error {
	sess := s.engine.NewSession()
	defer sess.Close()
	if _, err := locked(sess, id).Get(new(Item)); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(id)
}

func locked(sess *xorm.Session, id int64) *xorm.Session { return sess.ID(id).ForUpdate() }

// Message is a row of message.
type Message struct {
	ID  int64  `xorm:"pk autoincr 'id'"`
	URL string `xorm:"'url'"`
}

// BeforeInsert asks for a message.
func (m *Message) BeforeInsert() {
	if resp, err := http.Get(m.URL); err == nil { // missed: externalcall
		resp.Body.Close()
	}
}

// Post inserts a message, whose hook is called in the transaction.
func (s *Store) Post(m *Message) error {
	_, err := s.engine.Transaction(func(sess *xorm.Session) (any, error) { return sess.Insert(m) })
	return err
}
