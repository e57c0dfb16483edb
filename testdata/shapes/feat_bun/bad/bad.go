// Package bad has one function for each feature of Bun that docs/libraries.md
// lists.
package bad

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
	Tags  []*Tag `bun:"rel:has-many,join:id=item_id"`
}

// Tag is a row of tags.
type Tag struct {
	ID     int64 `bun:",pk,autoincrement"`
	ItemID int64
	Name   string
}

var errFew = errors.New("too few")

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

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := s.db.NewUpdate().Model((*Item)(nil)).Set("n = 0").Where("id = ?", id).Exec(ctx)
	return err
}

// For locks rows.
func (s *Store) For(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("id = ?", id).For("NO KEY UPDATE NOWAIT").Scan(ctx); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// ForTable locks the rows of one table of a join.
func (s *Store) ForTable(ctx context.Context, id int64) error {
	it := new(Item)
	err := s.db.NewSelect().Model(it).Join("JOIN tags AS t ON t.item_id = i.id").Where("i.id = ?", id).For("UPDATE OF ?", bun.Ident("i")).Scan(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// Relation reads related rows, with a lock in the first query.
func (s *Store) Relation(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Relation("Tags").Where("i.id = ?", id).For("UPDATE").Scan(ctx); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// RelationRows writes back a row that was read by its relation.
func (s *Store) RelationRows(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Relation("Tags").Where("i.id = ?", id).Scan(ctx); err != nil {
		return err
	}
	it.Tags[0].Name += "!"
	_, err := s.db.NewUpdate().Model(it.Tags[0]).Column("name").WherePK().Exec(ctx) // missed: lostupdate
	return err
}

func locked(q *bun.SelectQuery) *bun.SelectQuery { return q.For("UPDATE") }

// Apply calls functions of the same package.
func (s *Store) Apply(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("id = ?", id).Apply(locked).Scan(ctx); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Helper gives the query to a function.
func (s *Store) Helper(ctx context.Context, id int64) error {
	it := new(Item)
	if err := locked(s.db.NewSelect().Model(it).Where("id = ?", id)).Scan(ctx); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Spread is a query that is made over several statements.
func (s *Store) Spread(ctx context.Context, id int64, state string) error {
	it := new(Item)
	q := s.db.NewSelect().Model(it).Where("id = ?", id)
	if state != "" {
		q = q.Where("state = ?", state)
	}
	q = q.For("UPDATE")
	if err := q.Scan(ctx); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// InPlace does not use what the calls return, since they change the query.
func (s *Store) InPlace(ctx context.Context, id int64) error {
	it := new(Item)
	q := s.db.NewSelect().Model(it)
	q.Where("id = ?", id)
	q.For("UPDATE")
	if err := q.Scan(ctx); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Raw is a text with Scan.
func (s *Store) Raw(ctx context.Context, id int64) error {
	var n int64
	if err := s.db.NewRaw("SELECT n FROM items WHERE id = ? FOR UPDATE", id).Scan(ctx, &n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Exec is a text with the placeholders of Bun.
func (s *Store) Exec(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, "SET statement_timeout = ?", 0) // expect: sessionset
	return err
}

// Rows reads rows one by one.
func (s *Store) Rows(ctx context.Context) error {
	rows, err := s.db.NewSelect().Model((*Item)(nil)).Where("n > 0").For("UPDATE").Rows(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		it := new(Item)
		if err := s.db.ScanRow(ctx, rows, it); err != nil {
			return err
		}
		if err := s.take(ctx, it.ID); err != nil {
			return err
		}
	}
	return rows.Err()
}

// SQLDB is the pool of database/sql below.
func (s *Store) SQLDB(ctx context.Context) error {
	_, err := s.db.DB.ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Conn holds a session and gives it back with its setting.
func (s *Store) Conn(ctx context.Context) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, "SET statement_timeout = 0"); err != nil { // expect: sessionset
		return err
	}
	_, err = c.NewDelete().Model((*Item)(nil)).Where("state = 'old'").Exec(ctx)
	return err
}

// RunInTx runs a function, in which the pool is another session.
func (s *Store) RunInTx(ctx context.Context, it *Item) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewInsert().Model(it).Exec(ctx); err != nil {
			return err
		}
		_, err := s.db.NewInsert().Model(&Tag{ItemID: it.ID}).Exec(ctx) // expect: poolintx
		return err
	})
}

// BeginTx begins by hand.
func (s *Store) BeginTx(ctx context.Context, it *Item) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.NewInsert().Model(it).Exec(ctx); err != nil {
		return err
	}
	if _, err := s.db.NewInsert().Model(&Tag{ItemID: it.ID}).Exec(ctx); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// QueryConn is the handle that a query is given.
func (s *Store) QueryConn(ctx context.Context, it *Item) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := s.db.NewInsert().Conn(tx).Model(it).Exec(ctx); err != nil {
			return err
		}
		_, err := tx.NewInsert().Conn(s.db).Model(&Tag{ItemID: it.ID}).Exec(ctx) // expect: poolintx
		return err
	})
}

// Options are those of RunInTx.
func (s *Store) Options(ctx context.Context, id int64) error {
	return s.db.RunInTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead}, func(ctx context.Context, tx bun.Tx) error { // expect: unhandled40001
		it := new(Item)
		if err := tx.NewSelect().Model(it).Where("id = ?", id).Scan(ctx); err != nil {
			return err
		}
		_, err := tx.NewUpdate().Model(it).Set("n = ?", it.N-1).WherePK().Exec(ctx)
		return err
	})
}

// Nested is a savepoint, below the options of the transaction around it.
func (s *Store) Nested(ctx context.Context, it *Item) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		return tx.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			if _, err := tx.NewInsert().Model(it).Exec(ctx); err != nil {
				return err
			}
			_, err := s.db.NewInsert().Model(&Tag{ItemID: it.ID}).Exec(ctx) // expect: poolintx
			return err
		})
	})
}

func note(ctx context.Context, db bun.IDB, id int64) error {
	_, err := db.NewInsert().Model(&Tag{ItemID: id, Name: "new"}).Exec(ctx)
	return err
}

// IDB is the interface of the pool and the transaction.
func (s *Store) IDB(ctx context.Context, it *Item) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewInsert().Model(it).Exec(ctx); err != nil {
			return err
		}
		return note(ctx, s.db, it.ID) // expect: poolintx
	})
}

// Scan reads into the model.
func (s *Store) Scan(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	_, err := s.db.NewUpdate().Model((*Item)(nil)).Set("n = ?", it.N-1).Where("id = ?", id).Exec(ctx) // expect: lostupdate
	return err
}

// ScanSlice reads into a slice of models.
func (s *Store) ScanSlice(ctx context.Context, ids []int64) error {
	var its []Item
	if err := s.db.NewSelect().Model(&its).Where("id IN (?)", bun.In(ids)).Scan(ctx); err != nil {
		return err
	}
	for _, it := range its {
		if _, err := s.db.NewUpdate().Model((*Item)(nil)).Set("n = ?", it.N-1).Where("id = ?", it.ID).Exec(ctx); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// ScanInto reads columns into variables.
func (s *Store) ScanInto(ctx context.Context, id int64) error {
	var n int64
	if err := s.db.NewSelect().Model((*Item)(nil)).Column("n").Where("id = ?", id).Scan(ctx, &n); err != nil {
		return err
	}
	_, err := s.db.NewUpdate().Table("items").Set("n = ?", n-1).Where("id = ?", id).Exec(ctx) // expect: lostupdate
	return err
}

// ColumnExpr reads an expression into a variable.
func (s *Store) ColumnExpr(ctx context.Context, id int64) error {
	var n int64
	if err := s.db.NewSelect().TableExpr("items AS i").ColumnExpr("i.n").Where("i.id = ?", id).Scan(ctx, &n); err != nil {
		return err
	}
	_, err := s.db.NewUpdate().TableExpr("items AS i").Set("n = ?", n-1).Where("i.id = ?", id).Exec(ctx) // expect: lostupdate
	return err
}

// ExcludeColumn reads all columns but some.
func (s *Store) ExcludeColumn(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).ExcludeColumn("state").Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	it.N++
	_, err := s.db.NewUpdate().Model(it).ExcludeColumn("state").WherePK().Exec(ctx) // expect: lostupdate
	return err
}

// WherePK compares the key of the model.
func (s *Store) WherePK(ctx context.Context, id int64) error {
	it := &Item{ID: id}
	if err := s.db.NewSelect().Model(it).WherePK().Scan(ctx); err != nil {
		return err
	}
	it.N--
	_, err := s.db.NewUpdate().Model(it).WherePK().Exec(ctx) // expect: lostupdate
	return err
}

// WhereIdent has the name of a column as an argument.
func (s *Store) WhereIdent(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("? = ?", bun.Ident("id"), id).Scan(ctx); err != nil {
		return err
	}
	_, err := s.db.NewUpdate().Model(it).Set("? = ?", bun.Ident("n"), it.N-1).WherePK().Exec(ctx) // expect: lostupdate
	return err
}

// WhereAlias names the model's alias and key by Bun's own placeholders.
func (s *Store) WhereAlias(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("?TableAlias.id = ?", id).Scan(ctx); err != nil {
		return err
	}
	_, err := s.db.NewUpdate().Model(it).Set("n = ?", it.N-1).Where("?TablePKs = ?", id).Exec(ctx) // expect: lostupdate
	return err
}

// WhereGroup has conditions of its own.
func (s *Store) WhereGroup(ctx context.Context, id int64) error {
	it := new(Item)
	err := s.db.NewSelect().Model(it).Where("id = ?", id).WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("state = 'new'").WhereOr("state = 'old'")
	}).Scan(ctx)
	if err != nil {
		return err
	}
	_, err = s.db.NewUpdate().Model(it).Set("n = ?", it.N-1).WherePK().Exec(ctx) // expect: lostupdate
	return err
}

// Column writes the columns that are named.
func (s *Store) Column(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	it.N++
	_, err := s.db.NewUpdate().Model(it).Column("n").WherePK().Exec(ctx) // expect: lostupdate
	return err
}

// SetColumn names the column apart.
func (s *Store) SetColumn(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	_, err := s.db.NewUpdate().Model(it).SetColumn("n", "?", it.N+1).WherePK().Exec(ctx) // expect: lostupdate
	return err
}

// Value overrides the value of a field of the model.
func (s *Store) Value(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	_, err := s.db.NewUpdate().Model(it).Column("n").Value("n", "?", it.N+1).WherePK().Exec(ctx) // expect: lostupdate
	return err
}

// OmitZero writes what is not zero.
func (s *Store) OmitZero(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	it.N++
	_, err := s.db.NewUpdate().Model(it).OmitZero().WherePK().Exec(ctx) // expect: lostupdate
	return err
}

// Bulk writes a slice of models.
func (s *Store) Bulk(ctx context.Context) error {
	var its []Item
	if err := s.db.NewSelect().Model(&its).Where("state = 'new'").Scan(ctx); err != nil {
		return err
	}
	for i := range its {
		its[i].N++
	}
	_, err := s.db.NewUpdate().Model(&its).Column("n").Bulk().Exec(ctx) // expect: lostupdate
	return err
}

// Map is a map as the model.
func (s *Store) Map(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.NewSelect().Model(it).Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	values := map[string]any{"n": it.N - 1}
	_, err := s.db.NewUpdate().Model(&values).TableExpr("items").Where("id = ?", id).Exec(ctx) // expect: lostupdate
	return err
}

// Exists looks for a row, and Ignore would have done with the one that is there.
func (s *Store) Exists(ctx context.Context, name string) error {
	has, err := s.db.NewSelect().Model((*Tag)(nil)).Where("name = ?", name).Exists(ctx)
	if err != nil || has {
		return err
	}
	_, err = s.db.NewInsert().Model(&Tag{Name: name}).Exec(ctx) // expect: lostupdate
	return err
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int64) error {
	n, err := s.db.NewSelect().Model((*Tag)(nil)).Where("item_id = ?", id).Count(ctx)
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err = s.db.NewInsert().Model(&Tag{ItemID: id}).Exec(ctx) // expect: lostupdate
	return err
}

// ScanAndCount reads and counts.
func (s *Store) ScanAndCount(ctx context.Context, id int64) error {
	var tags []Tag
	n, err := s.db.NewSelect().Model(&tags).Where("item_id = ?", id).ScanAndCount(ctx)
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err = s.db.NewInsert().Model(&Tag{ItemID: id}).Exec(ctx) // missed: lostupdate
	return err
}

// InsertMap inserts a map.
func (s *Store) InsertMap(ctx context.Context, id int64) error {
	n, err := s.db.NewSelect().Model((*Tag)(nil)).Where("item_id = ?", id).Count(ctx)
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	tag := map[string]any{"item_id": id}
	_, err = s.db.NewInsert().Model(&tag).TableExpr("tags").Exec(ctx) // expect: lostupdate
	return err
}

// RowsAffected is the count that a guarded write needs.
func (s *Store) RowsAffected(ctx context.Context, id int64) error {
	_, err := s.db.NewUpdate().Model((*Item)(nil)).Set("state = 'done'").Where("id = ? AND state = ?", id, "new").Exec(ctx) // expect: rowsaffected
	return err
}

// Delete deletes by conditions.
func (s *Store) Delete(ctx context.Context, id int64) error {
	it := &Item{ID: id}
	if err := s.db.NewSelect().Model(it).WherePK().For("UPDATE").Scan(ctx); err != nil { // expect: lockoutsidetx
		return err
	}
	_, err := s.db.NewDelete().Model(it).WherePK().Exec(ctx)
	return err
}

// With is a common table expression.
func (s *Store) With(ctx context.Context) error {
	var id int64
	first := s.db.NewSelect().Model((*Item)(nil)).Column("id").Where("state = 'new'").Limit(1)
	if err := s.db.NewSelect().With("first", first).TableExpr("items").ColumnExpr("id").Where("id IN (SELECT id FROM first)").For("UPDATE").Scan(ctx, &id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Subquery is a query as an argument.
func (s *Store) Subquery(ctx context.Context) error {
	it := new(Item)
	first := s.db.NewSelect().Model((*Tag)(nil)).Column("item_id").Where("name = 'first'")
	if err := s.db.NewSelect().Model(it).Where("id IN (?)", first).For("UPDATE").Scan(ctx); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, it.ID)
}

// Merge is a MERGE.
func (s *Store) Merge(ctx context.Context, its []Item) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewInsert().Model(&its).Exec(ctx); err != nil {
			return err
		}
		_, err := s.db.NewMerge().Model((*Item)(nil)).With("fresh", s.db.NewValues(&its)).Using("fresh").On("fresh.id = items.id").WhenUpdate("MATCHED", func(q *bun.UpdateQuery) *bun.UpdateQuery { return q.Set("n = fresh.n") }).Exec(ctx) // expect: poolintx
		return err
	})
}
