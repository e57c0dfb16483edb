// Package good uses the features of Bun as they are right.
package good

import (
	"context"
	"database/sql"
	"errors"

	"github.com/lib/pq"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
)

// Item is a row of items.
type Item struct {
	bun.BaseModel `bun:"table:items,alias:i"`

	ID    int64 `bun:",pk,autoincrement"`
	N     int64
	State string
	Note  string
}

// Tag is a row of tags.
type Tag struct {
	ID     int64 `bun:",pk,autoincrement"`
	ItemID int64
	Name   string `bun:",unique"`
}

var errGone = errors.New("gone")

// Store keeps items.
type Store struct{ db *bun.DB }

// Open opens a store.
func Open(dsn string) (*Store, error) {
	c, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return &Store{bun.NewDB(sql.OpenDB(c), pgdialect.New())}, nil
}

func (s *Store) take(ctx context.Context, db bun.IDB, id int64) error {
	_, err := db.NewUpdate().Model((*Item)(nil)).Set("n = 0").Where("id = ?", id).Exec(ctx)
	return err
}

func locked(q *bun.SelectQuery) *bun.SelectQuery { return q.For("UPDATE") }

func paged(q *bun.SelectQuery) *bun.SelectQuery { return q.Limit(10).Offset(20) }

// Locks of all forms, in a transaction.
func (s *Store) Locks(ctx context.Context, id int64) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		it := new(Item)
		if err := tx.NewSelect().Model(it).Where("id = ?", id).Apply(locked).Scan(ctx); err != nil {
			return err
		}
		if err := tx.NewSelect().Model(it).Where("? = ?", bun.Ident("id"), id).For("UPDATE OF ?", bun.Ident("i")).Scan(ctx); err != nil {
			return err
		}
		it.N++
		if _, err := tx.NewUpdate().Model(it).OmitZero().WherePK().Exec(ctx); err != nil {
			return err
		}
		return s.take(ctx, tx, id)
	})
}

// A lock that is added to a copy is not in the query that is run.
func (s *Store) Clone(ctx context.Context, id int64) error {
	it := new(Item)
	q := s.db.NewSelect().Model(it).Where("id = ?", id)
	if id == 0 {
		err := s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			return q.Clone().Conn(tx).For("UPDATE").Scan(ctx)
		})
		if err != nil {
			return err
		}
	}
	if err := q.Apply(paged, nil).Scan(ctx); err != nil {
		return err
	}
	return s.take(ctx, s.db, id)
}

// A query that another one begins is not the other one.
func (s *Store) Subquery(ctx context.Context) error {
	q := s.db.NewUpdate().Model((*Item)(nil)).Set("state = 'taken'")
	next := q.NewSelect().Model((*Item)(nil)).Column("id").Where("state = 'new'").Limit(1).For("UPDATE SKIP LOCKED")
	_, err := q.Where("id = (?)", next).Exec(ctx)
	return err
}

// What is written is not what was read.
func (s *Store) Others(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).ExcludeColumn("note").Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	if _, err := s.db.NewUpdate().Model(it).Set("? = ?", bun.Ident("note"), "seen").WherePK().Exec(ctx); err != nil {
		return err
	}
	if _, err := s.db.NewUpdate().Model(it).Column("n").Value("n", "n + 1").WherePK().Exec(ctx); err != nil {
		return err
	}
	if _, err := s.db.NewUpdate().Model(it).SetColumn("n", "n + ?", 1).WherePK().Exec(ctx); err != nil {
		return err
	}
	values := map[string]any{"note": "seen"}
	if _, err := s.db.NewUpdate().Model(&values).TableExpr("items").Where("id = ?", id).Exec(ctx); err != nil {
		return err
	}
	fresh := &Item{ID: id, Note: "fresh"}
	_, err := s.db.NewUpdate().Model(fresh).OmitZero().WherePK().Exec(ctx)
	return err
}

// The columns that are left out are the ones that were read and changed.
func (s *Store) Excluded(ctx context.Context, id int64, note string) error {
	it := &Item{ID: id, Note: note}
	if err := s.db.NewSelect().Model(it).Column("n").WherePK().Scan(ctx); err != nil {
		return err
	}
	it.N++
	_, err := s.db.NewUpdate().Model(it).ExcludeColumn("n", "state").WherePK().Exec(ctx)
	return err
}

// A version that the row is compared with.
func (s *Store) Versioned(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("?TableAlias.id = ?", id).Scan(ctx); err != nil {
		return err
	}
	res, err := s.db.NewUpdate().Model(it).Set("n = ?", it.N+1).Where("?TablePKs = ?", id).Where("? = ?", bun.Ident("n"), it.N).Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errGone)
	}
	return nil
}

// Several rows, which are locked.
func (s *Store) Bulk(ctx context.Context) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		var its []Item
		if err := tx.NewSelect().Model(&its).Where("state = 'new'").OrderExpr("id").For("UPDATE").Scan(ctx); err != nil {
			return err
		}
		for i := range its {
			its[i].N++
		}
		_, err := tx.NewUpdate().Model(&its).Column("n").Bulk().Exec(ctx)
		return err
	})
}

// A second one is no harm.
func (s *Store) Inserts(ctx context.Context, name string) error {
	has, err := s.db.NewSelect().Model((*Tag)(nil)).Where("name = ?", name).Exists(ctx)
	if err != nil || has {
		return err
	}
	if _, err := s.db.NewInsert().Model(&Tag{Name: name}).Ignore().Exec(ctx); err != nil {
		return err
	}
	tag := map[string]any{"name": name}
	_, err = s.db.NewInsert().Model(&tag).TableExpr("tags").On("CONFLICT (name) DO NOTHING").Exec(ctx)
	return err
}

// The query runs on the transaction that it is given.
func (s *Store) QueryConn(ctx context.Context, it *Item) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := s.db.NewInsert().Conn(tx).Model(it).Exec(ctx); err != nil {
			return err
		}
		q := s.db.NewSelect().Model(it).WherePK()
		q.Conn(tx)
		q.For("UPDATE")
		return q.Scan(ctx)
	})
}

// List reads in a way that its caller chooses.
func (s *Store) List(ctx context.Context, db bun.IDB, lock bool) (its []Item, err error) {
	q := db.NewSelect().Model(&its)
	if lock {
		q.For("UPDATE")
	}
	err = q.Scan(ctx)
	return its, err
}

// Use reads without a lock, and with one in a transaction.
func (s *Store) Use(ctx context.Context) error {
	if _, err := s.List(ctx, s.db, false); err != nil {
		return err
	}
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		its, err := s.List(ctx, tx, true)
		if err != nil || len(its) == 0 {
			return err
		}
		return s.take(ctx, tx, its[0].ID)
	})
}
