// Package good uses the features of gorp as they are right.
package good

import (
	"database/sql"
	"errors"

	"github.com/go-gorp/gorp/v3"
	"github.com/jackc/pgx/v5/pgconn"
)

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id,primarykey,autoincrement"`
	N     int64  `db:"n"`
	State string `db:"state"`
}

// Tag is a row of tags.
type Tag struct {
	ID   int64 `db:"id"`
	Item int64 `db:"item_id"`
}

// Store keeps items.
type Store struct{ db *gorp.DbMap }

// New returns a store.
func New(db *sql.DB) *Store {
	m := &gorp.DbMap{Db: db, Dialect: gorp.PostgresDialect{}}
	m.AddTableWithName(Item{}, "items")
	m.AddTableWithName(Tag{}, "tags").SetKeys(true, "ID")
	return &Store{m}
}

// inTx runs fn in a transaction.
func (s *Store) inTx(fn func(tx *gorp.Transaction) error) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// SelectTyped writes rows that it has locked.
func (s *Store) SelectTyped() error {
	return s.inTx(func(tx *gorp.Transaction) error {
		list, err := tx.Select(Item{}, "SELECT * FROM items WHERE n > 0 ORDER BY id FOR UPDATE")
		if err != nil {
			return err
		}
		for _, x := range list {
			it := x.(*Item)
			it.N--
			if _, err := tx.Update(it); err != nil {
				return err
			}
		}
		return nil
	})
}

// Prepare runs a statement that was prepared in the transaction.
func (s *Store) Prepare(id int64) error {
	return s.inTx(func(tx *gorp.Transaction) error {
		stmt, err := tx.Prepare("SELECT n FROM items WHERE id = $1 FOR UPDATE")
		if err != nil {
			return err
		}
		defer stmt.Close()
		var n int64
		if err := stmt.QueryRow(id).Scan(&n); err != nil {
			return err
		}
		_, err = tx.Exec("UPDATE items SET n = $1 WHERE id = $2", n-1, id)
		return err
	})
}

// Named writes another row than the one that was read.
func (s *Store) Named(from, to int64) error {
	var it Item
	if err := s.db.SelectOne(&it, "SELECT * FROM items WHERE id = :id", map[string]any{"id": from}); err != nil {
		return err
	}
	_, err := s.db.Exec("UPDATE items SET n = :n WHERE id = :id", map[string]any{"id": to, "n": it.N})
	return err
}

// Savepoint goes back to where it was.
func (s *Store) Savepoint(t *Tag) error {
	return s.inTx(func(tx *gorp.Transaction) error {
		if err := tx.Savepoint("tag"); err != nil {
			return err
		}
		if err := tx.Insert(t); err != nil {
			var pgErr *pgconn.PgError
			if !errors.As(err, &pgErr) || pgErr.Code != "23505" {
				return err
			}
			if err := tx.RollbackToSavepoint("tag"); err != nil {
				return err
			}
		}
		_, err := tx.Exec("UPDATE items SET n = n + 1 WHERE id = $1", t.Item)
		return err
	})
}

// Local sets for one transaction.
func (s *Store) Local() (n int64, err error) {
	err = s.inTx(func(tx *gorp.Transaction) error {
		if _, err := tx.Exec("SET LOCAL statement_timeout = 0"); err != nil {
			return err
		}
		n, err = gorp.SelectInt(tx, "SELECT count(*) FROM items")
		return err
	})
	return n, err
}
