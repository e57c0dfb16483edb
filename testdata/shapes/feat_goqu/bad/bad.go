// Package bad has one function for each feature of goqu that docs/libraries.md
// lists.
package bad

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

var errFew = errors.New("too few")

var dialect = goqu.Dialect("postgres")

// Store keeps items.
type Store struct {
	sql *sql.DB
	db  *goqu.Database
}

// Open opens a store.
func Open(dsn string) (*Store, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, err
	}
	return &Store{db, goqu.New("postgres", db)}, nil
}

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := s.db.Update("items").Set(goqu.Record{"n": 0}).Where(goqu.Ex{"id": id}).Executor().ExecContext(ctx)
	return err
}

// ForUpdate locks rows.
func (s *Store) ForUpdate(ctx context.Context, id int64) error {
	var it Item
	if _, err := s.db.From("items").Where(goqu.C("id").Eq(id)).ForUpdate(exp.NoWait).ScanStructContext(ctx, &it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// ForShare is one of the other strengths, of one table.
func (s *Store) ForShare(ctx context.Context, id int64) error {
	var it Item
	_, err := s.db.From("items").Join(goqu.T("tags"), goqu.On(goqu.Ex{"tags.item_id": goqu.I("items.id")})).Where(goqu.I("items.id").Eq(id)).ForShare(exp.Wait, goqu.T("items")).ScanStructContext(ctx, &it) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// ToSQL gives the text to a handle.
func (s *Store) ToSQL(ctx context.Context, id int64) error {
	query, args, err := dialect.From("items").Prepared(true).Select("n").Where(goqu.Ex{"id": id}).ForUpdate(exp.Wait).ToSQL()
	if err != nil {
		return err
	}
	var n int64
	if err := s.sql.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Executor runs a text of one's own.
func (s *Store) Executor(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Database is the one that reads into structs by a text.
func (s *Store) Database(ctx context.Context, id int64) error {
	var it Item
	if _, err := s.db.ScanStructContext(ctx, &it, "SELECT * FROM items WHERE id = $1 FOR UPDATE", id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// ScanStruct reads a row into a struct.
func (s *Store) ScanStruct(ctx context.Context, id int64) error {
	var it Item
	if _, err := s.db.From("items").Where(goqu.C("id").Eq(id)).ScanStructContext(ctx, &it); err != nil {
		return err
	}
	_, err := s.db.Update("items").Set(goqu.Record{"n": it.N - 1}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// ScanStructs reads rows.
func (s *Store) ScanStructs(ctx context.Context, ids []int64) error {
	var its []Item
	if err := s.db.From("items").Where(goqu.C("id").In(ids)).ScanStructsContext(ctx, &its); err != nil {
		return err
	}
	for _, it := range its {
		if _, err := s.db.Update("items").Set(goqu.Record{"n": it.N - 1}).Where(goqu.C("id").Eq(it.ID)).Executor().ExecContext(ctx); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// ScanVal reads one column.
func (s *Store) ScanVal(ctx context.Context, id int64) error {
	var n int64
	if _, err := s.db.From("items").Select("n").Where(goqu.Ex{"id": id}).ScanValContext(ctx, &n); err != nil {
		return err
	}
	_, err := s.db.Update("items").Set(goqu.Record{"n": n - 1}).Where(goqu.Ex{"id": id}).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// Pluck reads a column of rows.
func (s *Store) Pluck(ctx context.Context, id int64) error {
	var ns []int64
	if err := s.db.From("items").Where(goqu.Ex{"id": id}).PluckContext(ctx, &ns, "n"); err != nil {
		return err
	}
	_, err := s.db.Update("items").Set(goqu.Record{"n": ns[0] - 1}).Where(goqu.Ex{"id": id}).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// Scanner reads rows one by one.
func (s *Store) Scanner(ctx context.Context) error {
	rows, err := s.db.From("items").Where(goqu.C("n").Gt(0)).Executor().ScannerContext(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it Item
		if err := rows.ScanStruct(&it); err != nil {
			return err
		}
		if _, err := s.db.Update("items").Set(goqu.Record{"n": it.N - 1}).Where(goqu.C("id").Eq(it.ID)).Executor().ExecContext(ctx); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int64) error {
	n, err := s.db.From("tags").Where(goqu.C("item_id").Eq(id)).CountContext(ctx)
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err = s.db.Insert("tags").Rows(goqu.Record{"item_id": id}).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// Found is whether there was a row.
func (s *Store) Found(ctx context.Context, name string) error {
	var id int64
	found, err := s.db.From("tags").Select("id").Where(goqu.C("name").Eq(name)).ScanValContext(ctx, &id)
	if err != nil || found {
		return err
	}
	_, err = s.db.Insert("tags").Rows(goqu.Record{"name": name}).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// ColsVals inserts by columns and values.
func (s *Store) ColsVals(ctx context.Context, id int64) error {
	n, err := s.db.From("tags").Where(goqu.C("item_id").Eq(id)).CountContext(ctx)
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err = s.db.Insert("tags").Cols("item_id", "name").Vals(goqu.Vals{id, "new"}).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// SetStruct writes the fields of a struct.
func (s *Store) SetStruct(ctx context.Context, id int64) error {
	var it Item
	if _, err := s.db.From("items").Where(goqu.C("id").Eq(id)).ScanStructContext(ctx, &it); err != nil {
		return err
	}
	it.N++
	_, err := s.db.Update("items").Set(it).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// SetLiteral writes an expression with a value.
func (s *Store) SetLiteral(ctx context.Context, id int64) error {
	var it Item
	if _, err := s.db.From("items").Where(goqu.C("id").Eq(id)).ScanStructContext(ctx, &it); err != nil {
		return err
	}
	_, err := s.db.Update("items").Set(goqu.Record{"n": goqu.L("?::bigint", it.N-1)}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// Ex are conditions in a map.
func (s *Store) Ex(ctx context.Context, id int64) error {
	_, err := s.db.Update("items").Set(goqu.Record{"state": "done"}).Where(goqu.Ex{"id": id, "state": "new"}).Executor().ExecContext(ctx) // expect: rowsaffected
	return err
}

// Op is another comparison in a map.
func (s *Store) Op(ctx context.Context, id, n int64) error {
	_, err := s.db.Update("items").Set(goqu.Record{"n": goqu.L("n - ?", n)}).Where(goqu.Ex{"id": id, "n": goqu.Op{"gte": n}}).Executor().ExecContext(ctx) // expect: rowsaffected
	return err
}

// And has conditions in a list.
func (s *Store) And(ctx context.Context, id int64) error {
	_, err := s.db.Update("items").Set(goqu.Record{"state": "done"}).Where(goqu.And(goqu.C("id").Eq(id), goqu.C("state").Eq("new"))).Executor().ExecContext(ctx) // expect: rowsaffected
	return err
}

// Literal is a text as a condition.
func (s *Store) Literal(ctx context.Context, id, n int64) error {
	_, err := s.db.Update("items").Set(goqu.Record{"n": goqu.L("n - ?", n)}).Where(goqu.C("id").Eq(id), goqu.L("n >= ?", n)).Executor().ExecContext(ctx) // expect: rowsaffected
	return err
}

// Or is a condition beside others.
func (s *Store) Or(ctx context.Context, id int64) error {
	var it Item
	if _, err := s.db.From("items").Where(goqu.C("id").Eq(id), goqu.Or(goqu.C("state").Eq("new"), goqu.C("state").Eq("old"))).ScanStructContext(ctx, &it); err != nil {
		return err
	}
	_, err := s.db.Update("items").Set(goqu.Record{"n": it.N - 1}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// Convert makes an UPDATE of a SELECT.
func (s *Store) Convert(ctx context.Context, id int64) error {
	var it Item
	ds := s.db.From("items").Where(goqu.C("id").Eq(id))
	if _, err := ds.ScanStructContext(ctx, &it); err != nil {
		return err
	}
	_, err := ds.Update().Set(goqu.Record{"n": it.N - 1}).Executor().ExecContext(ctx) // expect: lostupdate
	return err
}

// Spread is a dataset that is made over several statements.
func (s *Store) Spread(ctx context.Context, id int64, state string) error {
	ds := s.db.From("items").Where(goqu.C("id").Eq(id))
	if state != "" {
		ds = ds.Where(goqu.C("state").Eq(state))
	}
	ds = ds.ForUpdate(exp.Wait)
	var it Item
	if _, err := ds.ScanStructContext(ctx, &it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

func locked(ds *goqu.SelectDataset) *goqu.SelectDataset { return ds.ForUpdate(exp.Wait) }

// Helper gives the dataset to a function.
func (s *Store) Helper(ctx context.Context, id int64) error {
	var it Item
	if _, err := locked(s.db.From("items").Where(goqu.C("id").Eq(id))).ScanStructContext(ctx, &it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Subquery is a dataset as a condition.
func (s *Store) Subquery(ctx context.Context) error {
	var it Item
	first := s.db.From("tags").Select("item_id").Where(goqu.C("name").Eq("first"))
	if _, err := s.db.From("items").Where(goqu.C("id").In(first)).ForUpdate(exp.Wait).ScanStructContext(ctx, &it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, it.ID)
}

// Returning reads a row of a write.
func (s *Store) Returning(ctx context.Context, id int64) error {
	var it Item
	if _, err := s.db.From("items").Where(goqu.C("id").Eq(id)).ScanStructContext(ctx, &it); err != nil {
		return err
	}
	_, err := s.db.Update("items").Set(goqu.Record{"n": it.N - 1}).Where(goqu.C("id").Eq(id)).Returning("n").Executor().ScanValContext(ctx, &it.N) // expect: lostupdate
	return err
}

// Delete deletes rows.
func (s *Store) Delete(ctx context.Context, id int64) error {
	_, err := s.db.Delete("items").Where(goqu.Ex{"id": id, "state": "new"}).Executor().ExecContext(ctx) // expect: rowsaffected
	return err
}

// WithTx runs a function in a transaction.
func (s *Store) WithTx(ctx context.Context, it Item) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		if _, err := tx.Insert("items").Rows(it).Executor().ExecContext(ctx); err != nil {
			return err
		}
		_, err := s.db.Insert("tags").Rows(goqu.Record{"item_id": it.ID}).Executor().ExecContext(ctx) // expect: poolintx
		return err
	})
}

// Begin begins by hand.
func (s *Store) Begin(ctx context.Context, it Item) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Insert("items").Rows(it).Executor().ExecContext(ctx); err != nil {
		return err
	}
	if _, err := s.db.Insert("tags").Rows(goqu.Record{"item_id": it.ID}).Executor().ExecContext(ctx); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// Wrap runs a function and then commits.
func (s *Store) Wrap(ctx context.Context, it Item) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	return tx.Wrap(func() error {
		if _, err := tx.Insert("items").Rows(it).Executor().ExecContext(ctx); err != nil {
			return err
		}
		_, err := s.db.Insert("tags").Rows(goqu.Record{"item_id": it.ID}).Executor().ExecContext(ctx) // missed: poolintx
		return err
	})
}

// Options are those of BeginTx.
func (s *Store) Options(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var it Item
	if _, err := tx.From("items").Where(goqu.C("id").Eq(id)).ScanStructContext(ctx, &it); err != nil {
		return err
	}
	if _, err := tx.Update("items").Set(goqu.Record{"n": it.N - 1}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx); err != nil {
		return err
	}
	return tx.Commit()
}
