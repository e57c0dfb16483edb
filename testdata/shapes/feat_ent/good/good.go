// Package good uses the features of ent as they are right.
package good

import (
	"context"
	"errors"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	_ "github.com/lib/pq"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_ent/bad/db"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_ent/bad/db/item"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_ent/bad/db/tag"
)

var errGone = errors.New("gone")

// Store keeps items.
type Store struct{ client *db.Client }

// Open opens a store.
func Open(dsn string) (*Store, error) {
	client, err := db.Open(dialect.Postgres, dsn)
	return &Store{client}, err
}

func withTx(ctx context.Context, client *db.Client, fn func(tx *db.Tx) error) error {
	tx, err := client.Tx(ctx)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Locks of all forms, in a transaction.
func (s *Store) Locks(ctx context.Context, id int) error {
	return withTx(ctx, s.client, func(tx *db.Tx) error {
		it, err := tx.Item.Query().Where(item.ID(id), item.Or(item.State("new"), item.State("old"))).WithTags().ForUpdate(sql.WithLockTables(item.Table)).Only(ctx)
		if err != nil {
			return err
		}
		if err := it.Update().SetN(it.N - 1).Exec(ctx); err != nil {
			return err
		}
		for _, t := range it.Edges.Tags {
			if err := t.Update().SetName("seen").Exec(ctx); err != nil {
				return err
			}
		}
		return tx.Client().Tag.Create().SetItem(it).SetName("new").Exec(ctx)
	})
}

// The value is computed by the database, or is another one.
func (s *Store) Relative(ctx context.Context, id int, note *string) error {
	it, err := s.client.Item.Get(ctx, id)
	if err != nil {
		return err
	}
	return it.Update().AddN(-1).SetNillableNote(note).Exec(ctx)
}

// The column that is selected is not the one that is written.
func (s *Store) Select(ctx context.Context, id int) error {
	var got []struct {
		Note string `json:"note"`
	}
	if err := s.client.Item.Query().Where(item.ID(id)).Select(item.FieldNote).Scan(ctx, &got); err != nil {
		return err
	}
	return s.client.Item.UpdateOneID(id).SetState(got[0].Note).Exec(ctx)
}

// The row is the one that was read, or nothing is written.
func (s *Store) Versioned(ctx context.Context, id int) error {
	it, err := s.client.Item.Get(ctx, id)
	if err != nil {
		return err
	}
	n, err := s.client.Item.Update().Where(item.ID(id), item.N(it.N)).SetN(it.N + 1).Save(ctx)
	if err == nil && n == 0 {
		err = errGone
	}
	return err
}

// A second one is no harm.
func (s *Store) Once(ctx context.Context, name string) error {
	has, err := s.client.Tag.Query().Where(tag.Name(name)).Exist(ctx)
	if err != nil || has {
		return err
	}
	return s.client.Tag.Create().SetName(name).OnConflictColumns(tag.FieldName).DoNothing().Exec(ctx)
}
