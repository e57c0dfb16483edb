// Package good uses the features of Pop as they are right.
package good

import (
	"context"
	"errors"

	"github.com/gobuffalo/pop/v6"
)

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id"`
	N     int64  `db:"n"`
	State string `db:"state"`
}

// Tag is a row of tags.
type Tag struct {
	ID     int64 `db:"id"`
	ItemID int64 `db:"item_id"`
}

var errGone = errors.New("gone")

// Store keeps items.
type Store struct{ db *pop.Connection }

// Open opens a store.
func Open(environment string) (*Store, error) {
	db, err := pop.Connect(environment)
	return &Store{db}, err
}

// Below locks the row by the field Store, in a transaction.
func (s *Store) Below(ctx context.Context, id int64) error {
	return s.db.Transaction(func(tx *pop.Connection) error {
		var it Item
		if err := tx.Store.GetContext(ctx, &it, "SELECT * FROM items WHERE id = $1 FOR UPDATE", id); err != nil {
			return err
		}
		it.N--
		return tx.Update(&it)
	})
}

// All writes rows that it has locked.
func (s *Store) All() error {
	return s.db.Transaction(func(tx *pop.Connection) error {
		var its []Item
		if err := tx.RawQuery("SELECT * FROM items WHERE n > 0 ORDER BY id FOR UPDATE").All(&its); err != nil {
			return err
		}
		for i := range its {
			its[i].N--
			if err := tx.UpdateColumns(&its[i], "n"); err != nil {
				return err
			}
		}
		return nil
	})
}

// Columns leaves out the column that was read.
func (s *Store) Columns(id int64, state string) error {
	it := &Item{}
	if err := s.db.Find(it, id); err != nil {
		return err
	}
	it.State = state
	return s.db.Update(it, "n", "created_at")
}

// Validate writes a row that was made, not read.
func (s *Store) Validate(id, n int64, state string) error {
	errs, err := s.db.ValidateAndUpdate(&Item{ID: id, N: n, State: state})
	if err != nil || !errs.HasAny() {
		return err
	}
	return errs
}

// UpdateQuery looks at the number of rows.
func (s *Store) UpdateQuery(id int64) error {
	n, err := s.db.Where("id = ?", id).Where("state = ?", "new").UpdateQuery(&Item{State: "done"}, "state")
	if err == nil && n == 0 {
		err = errGone
	}
	return err
}

// Nested is one transaction.
func (s *Store) Nested(it *Item) error {
	return s.db.Transaction(func(tx *pop.Connection) error {
		err := tx.Transaction(func(tx *pop.Connection) error { return tx.Create(it) })
		if err != nil {
			return err
		}
		return tx.Create(&Tag{ItemID: it.ID})
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
	if err := tx.Create(&Tag{ItemID: it.ID}); err != nil {
		return err
	}
	return tx.TX.Commit()
}
