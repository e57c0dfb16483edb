// Package good uses the features of go-pg as they are right.
package good

import (
	"context"
	"errors"
	"io"

	"github.com/go-pg/pg/v10"
	"github.com/go-pg/pg/v10/orm"
)

// Item is a row of items.
type Item struct {
	tableName struct{} `pg:"items,alias:item"`

	ID    int64  `pg:"id,pk"`
	N     int64  `pg:"n,use_zero"`
	State string `pg:"state"`
}

// Tag is a row of tags, whose names are unique.
type Tag struct {
	tableName struct{} `pg:"tags,alias:tag"`

	ID   int64  `pg:"id,pk"`
	Name string `pg:"name,unique"`
}

var errGone = errors.New("gone")

// Store keeps items.
type Store struct{ db *pg.DB }

func locked(q *orm.Query) (*orm.Query, error) { return q.For("UPDATE"), nil }

// Apply locks the row in a transaction.
func (s *Store) Apply(ctx context.Context, id int64) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		it := new(Item)
		if err := tx.ModelContext(ctx, it).Where("id = ?", id).Apply(locked).Select(); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE items SET n = ?n WHERE id = ?id", &Item{ID: id, N: it.N + 1})
		return err
	})
}

// Conn takes its setting back.
func (s *Store) Conn(ctx context.Context) (n int, err error) {
	conn := s.db.Conn()
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "SET statement_timeout = 0"); err != nil {
		return 0, err
	}
	defer func() {
		_, rerr := conn.ExecContext(context.WithoutCancel(ctx), "RESET statement_timeout")
		err = errors.Join(err, rerr)
	}()
	return conn.ModelContext(ctx, (*Item)(nil)).Count()
}

// Exclude leaves out the column that was read.
func (s *Store) Exclude(ctx context.Context, id int64, state string) error {
	it := &Item{ID: id}
	if err := s.db.ModelContext(ctx, it).WherePK().Select(); err != nil {
		return err
	}
	it.State = state
	_, err := s.db.ModelContext(ctx, it).ExcludeColumn("n").WherePK().Update()
	return err
}

// Another writes another row than the one that was read.
func (s *Store) Another(ctx context.Context, from, to int64) error {
	it := new(Item)
	if _, err := s.db.QueryOneContext(ctx, it, "SELECT * FROM items WHERE id = ?", from); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = ?n WHERE id = ?id", struct{ ID, N int64 }{to, it.N})
	return err
}

// Exists inserts a tag whose name keeps a second one out.
func (s *Store) Exists(ctx context.Context, name string) error {
	there, err := s.db.ModelContext(ctx, (*Tag)(nil)).Where("name = ?", name).Exists()
	if err != nil || there {
		return err
	}
	_, err = s.db.ModelContext(ctx, &Tag{Name: name}).Insert()
	return err
}

// Delete looks at the number of rows.
func (s *Store) Delete(ctx context.Context, id int64) error {
	res, err := s.db.ModelContext(ctx, (*Item)(nil)).Where("id = ?", id).Where("state = ?", "new").Delete()
	if err == nil && res.RowsAffected() == 0 {
		err = errGone
	}
	return err
}

// CopyFrom copies rows in within the transaction.
func (s *Store) CopyFrom(ctx context.Context, it *Item, tags io.Reader) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ModelContext(ctx, it).Insert(); err != nil {
			return err
		}
		_, err := tx.CopyFrom(tags, "COPY tags FROM STDIN")
		return err
	})
}
