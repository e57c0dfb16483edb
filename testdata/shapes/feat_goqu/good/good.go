// Package good uses the features of goqu as they are right.
package good

import (
	"context"
	"database/sql"
	"errors"

	"github.com/doug-martin/goqu/v9"
	_ "github.com/doug-martin/goqu/v9/dialect/postgres"
	"github.com/doug-martin/goqu/v9/exp"
	_ "github.com/lib/pq"
)

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id" goqu:"skipupdate"`
	N     int64  `db:"n"`
	State string `db:"state"`
}

var errGone = errors.New("gone")

// Store keeps items.
type Store struct{ db *goqu.Database }

// Open opens a store.
func Open(dsn string) (*Store, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, err
	}
	return &Store{goqu.New("postgres", db)}, nil
}

// Locks of all forms, in a transaction.
func (s *Store) Locks(ctx context.Context, id int64) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		var it Item
		ds := tx.From("items").Where(goqu.C("id").Eq(id), goqu.Or(goqu.C("state").Eq("new"), goqu.C("state").Eq("old")))
		if _, err := ds.ForUpdate(exp.Wait).ScanStructContext(ctx, &it); err != nil {
			return err
		}
		it.N--
		_, err := tx.Update("items").Set(it).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx)
		return err
	})
}

// The row is the one that was read, or nothing is written.
func (s *Store) Versioned(ctx context.Context, id int64) error {
	var n int64
	if _, err := s.db.From("items").Select("n").Where(goqu.Ex{"id": id}).ScanValContext(ctx, &n); err != nil {
		return err
	}
	res, err := s.db.Update("items").Set(goqu.Record{"n": n - 1}).Where(goqu.Ex{"id": id, "n": goqu.Op{"eq": n}}).Executor().ExecContext(ctx)
	if err != nil {
		return err
	}
	if rows, err := res.RowsAffected(); err != nil || rows == 0 {
		return errors.Join(err, errGone)
	}
	return nil
}

// The column that is read is not the one that is written.
func (s *Store) Pluck(ctx context.Context, id int64) error {
	var states []string
	if err := s.db.From("items").Where(goqu.Ex{"id": id}).PluckContext(ctx, &states, "state"); err != nil {
		return err
	}
	_, err := s.db.Update("items").Set(goqu.Record{"n": goqu.L("n + 1"), "note": states[0]}).Where(goqu.Ex{"id": id}).Executor().ExecContext(ctx)
	return err
}

// A second one is no harm, and none is written where there is no row.
func (s *Store) Once(ctx context.Context, name string) error {
	var id int64
	found, err := s.db.From("tags").Select("id").Where(goqu.C("name").Eq(name)).ScanValContext(ctx, &id)
	if err != nil {
		return err
	}
	if found {
		_, err = s.db.Insert("seen").Cols("tag_id").Vals(goqu.Vals{id}).Executor().ExecContext(ctx)
		return err
	}
	_, err = s.db.Insert("tags").Cols("name").Vals(goqu.Vals{name}).OnConflict(goqu.DoNothing()).Executor().ExecContext(ctx)
	return err
}

// The lock is in one statement with the write.
func (s *Store) One(ctx context.Context) (id int64, err error) {
	next := s.db.From("items").Select("id").Where(goqu.C("state").Eq("new")).Limit(1).ForUpdate(exp.SkipLocked)
	_, err = s.db.Update("items").Set(goqu.Record{"state": "taken"}).Where(goqu.C("id").Eq(next)).Returning("id").Executor().ScanValContext(ctx, &id)
	return id, err
}
