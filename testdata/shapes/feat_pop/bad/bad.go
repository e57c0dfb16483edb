// Package bad has one function for each feature of Pop that docs/libraries.md
// lists and that no other program shows.
package bad

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/gobuffalo/pop/v6"
)

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id"`
	N     int64  `db:"n"`
	State string `db:"state"`
	Tags  []Tag  `has_many:"tags"`
}

// Tag is a row of tags; no key keeps two of the same name out.
type Tag struct {
	ID     int64  `db:"id"`
	ItemID int64  `db:"item_id"`
	Name   string `db:"name"`
	Uses   int64  `db:"uses"`
}

var errFew = errors.New("too few")

// Store keeps items.
type Store struct{ db *pop.Connection }

// Open opens a store.
func Open(environment string) (*Store, error) {
	db, err := pop.Connect(environment)
	return &Store{db}, err
}

func (s *Store) set(id int64) error {
	return s.db.RawQuery("UPDATE items SET n = 0 WHERE id = ?", id).Exec()
}

// All reads rows into a slice.
func (s *Store) All() error {
	var its []Item
	if err := s.db.Where("n > 0").All(&its); err != nil {
		return err
	}
	for i := range its {
		its[i].N--
		if err := s.db.Update(&its[i]); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Last reads the last row.
func (s *Store) Last(state string) error {
	it := &Item{}
	if err := s.db.Where("state = ?", state).Last(it); err != nil {
		return err
	}
	it.N--
	return s.db.UpdateColumns(it, "n") // expect: lostupdate
}

// Reload reads the row again.
func (s *Store) Reload(it *Item) error {
	if err := s.db.Reload(it); err != nil {
		return err
	}
	it.N--
	return s.db.Update(it) // expect: lostupdate
}

// Columns are left out of an UPDATE.
func (s *Store) Columns(id int64) error {
	it := &Item{}
	if err := s.db.Find(it, id); err != nil {
		return err
	}
	it.N--
	return s.db.Update(it, "state", "created_at") // expect: lostupdate
}

// ComputedColumns leaves out what a list says.
func (s *Store) ComputedColumns(id int64, columns ...string) error {
	it := &Item{}
	if err := s.db.Find(it, id); err != nil {
		return err
	}
	it.N--
	others := slices.DeleteFunc(columns, func(c string) bool { return c == "n" })
	return s.db.Update(it, others...) // missed: lostupdate
}

// Validate writes a row that was looked at before.
func (s *Store) Validate(id int64) error {
	it := &Item{}
	if err := s.db.Find(it, id); err != nil {
		return err
	}
	it.N--
	errs, err := s.db.ValidateAndUpdate(it) // expect: lostupdate
	if err != nil || !errs.HasAny() {
		return err
	}
	return errs
}

// UpdateQuery writes the rows of a query.
func (s *Store) UpdateQuery(id int64) error {
	_, err := s.db.Where("id = ?", id).Where("state = ?", "new").UpdateQuery(&Item{State: "done"}, "state") // expect: rowsaffected
	return err
}

// Delete deletes the rows of a query.
func (s *Store) Delete(id int64) error {
	return s.db.Where("id = ? AND state = ?", id, "new").Delete(&Item{}) // expect: rowsaffected
}

// Destroy deletes a row beside the transaction.
func (s *Store) Destroy(it *Item, tag *Tag) error {
	return s.db.Transaction(func(tx *pop.Connection) error {
		if err := tx.Destroy(it); err != nil {
			return err
		}
		return s.db.Destroy(tag) // expect: poolintx
	})
}

// CountQuery counts the rows of a query that is made step by step.
func (s *Store) CountQuery(item int64) error {
	q := s.db.Q()
	q.Where("item_id = ?", item)
	n, err := q.Count(&Tag{})
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	return s.db.Create(&Tag{ItemID: item}) // expect: lostupdate
}

// Paginate reads a page.
func (s *Store) Paginate(page int) error {
	var its []Item
	if err := s.db.Where("n > 0").Order("id").Paginate(page, 20).All(&its); err != nil {
		return err
	}
	for i := range its {
		its[i].N--
		if err := s.db.UpdateColumns(&its[i], "n"); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Join reads a row by one of another table.
func (s *Store) Join(name string) error {
	it := &Item{}
	if err := s.db.Q().Join("tags", "tags.item_id = items.id").Where("tags.name = ?", name).First(it); err != nil {
		return err
	}
	it.N--
	return s.db.UpdateColumns(it, "n") // missed: lostupdate
}

// BelongsTo reads the rows of another.
func (s *Store) BelongsTo(it *Item) error {
	var tags []Tag
	if err := s.db.BelongsTo(it).All(&tags); err != nil {
		return err
	}
	for i := range tags {
		tags[i].Uses++
		if err := s.db.UpdateColumns(&tags[i], "uses"); err != nil { // missed: lostupdate
			return err
		}
	}
	return nil
}

// Eager reads rows of another table with the row.
func (s *Store) Eager(id int64) error {
	it := &Item{}
	if err := s.db.Eager("Tags").Find(it, id); err != nil {
		return err
	}
	for i := range it.Tags {
		it.Tags[i].Uses++
		if err := s.db.UpdateColumns(&it.Tags[i], "uses"); err != nil { // missed: lostupdate
			return err
		}
	}
	return nil
}

// Load reads them into a row that was read.
func (s *Store) Load(it *Item) error {
	if err := s.db.Load(it, "Tags"); err != nil {
		return err
	}
	for i := range it.Tags {
		it.Tags[i].Uses++
		if err := s.db.UpdateColumns(&it.Tags[i], "uses"); err != nil { // missed: lostupdate
			return err
		}
	}
	return nil
}

// Below is what runs the statements: the field Store.
func (s *Store) Below(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.Store.GetContext(ctx, &it, "SELECT * FROM items WHERE id = $1 FOR UPDATE", id); err != nil { // missed: lockoutsidetx
		return err
	}
	return s.set(id)
}

// Stored writes by it in a transaction.
func (s *Store) Stored(ctx context.Context, id int64) error {
	return s.db.Transaction(func(tx *pop.Connection) error {
		var n int64
		if err := tx.Store.GetContext(ctx, &n, "SELECT n FROM items WHERE id = $1", id); err != nil {
			return err
		}
		_, err := tx.Store.ExecContext(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n+1) // expect: lostupdate
		return err
	})
}

// TX is the transaction below.
func (s *Store) TX(ctx context.Context, it *Item) error {
	tx, err := s.db.NewTransactionContext(ctx)
	if err != nil {
		return err
	}
	defer tx.TX.Rollback()
	if _, err := tx.TX.ExecContext(ctx, "UPDATE items SET n = n + 1 WHERE id = $1", it.ID); err != nil {
		return err
	}
	if err := s.db.Create(&Tag{ItemID: it.ID}); err != nil { // expect: poolintx
		return err
	}
	return tx.TX.Commit()
}

// Rollback runs a function in a transaction that is rolled back.
func (s *Store) Rollback(it *Item) (err error) {
	rerr := s.db.Rollback(func(tx *pop.Connection) {
		err = errors.Join(tx.Create(it), s.db.Create(&Tag{ItemID: it.ID})) // expect: poolintx
	})
	return errors.Join(err, rerr)
}

// Nested is a transaction in a transaction: the same.
func (s *Store) Nested(it *Item, url string) error {
	return s.db.Transaction(func(tx *pop.Connection) error {
		err := tx.Transaction(func(tx *pop.Connection) error { return tx.Create(it) })
		if err != nil {
			return err
		}
		resp, err := http.Get(url) // expect: externalcall
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

// Message is a row of messages.
type Message struct {
	ID  int64  `db:"id"`
	URL string `db:"url"`
}

// AfterCreate tells of a message.
func (m *Message) AfterCreate(*pop.Connection) error {
	resp, err := http.Post(m.URL, "text/plain", strings.NewReader("new")) // missed: externalcall
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

var _ pop.AfterCreateable = (*Message)(nil)

// Post inserts a message, whose callback is called in the transaction.
func (s *Store) Post(m *Message) error {
	return s.db.Transaction(func(tx *pop.Connection) error { return tx.Create(m) })
}
