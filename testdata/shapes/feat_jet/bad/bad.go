// Package bad has one function for each feature of Jet that docs/libraries.md
// lists.
package bad

import (
	"context"
	"database/sql"
	"errors"

	. "github.com/go-jet/jet/v2/postgres" //nolint:staticcheck,revive // as Jet's documentation has it
	"github.com/go-jet/jet/v2/qrm"
	_ "github.com/lib/pq"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_jet/bad/table"
)

// Items is a row of items, as Jet's generator has it.
type Items struct {
	ID    int64 `sql:"primary_key"`
	N     int64
	State string
}

var errFew = errors.New("too few")

// Store keeps items.
type Store struct{ db *sql.DB }

// Open opens a store.
func Open(dsn string) (*Store, error) {
	db, err := sql.Open("postgres", dsn)
	return &Store{db}, err
}

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := table.Items.UPDATE(table.Items.N).SET(0).WHERE(table.Items.ID.EQ(Int(id))).ExecContext(ctx, s.db)
	return err
}

// For locks rows.
func (s *Store) For(ctx context.Context, id int64) error {
	var it Items
	stmt := SELECT(table.Items.ID, table.Items.N).FROM(table.Items).WHERE(table.Items.ID.EQ(Int(id))).FOR(NO_KEY_UPDATE().NOWAIT())
	if err := stmt.QueryContext(ctx, s.db, &it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// TableSelect begins with the table.
func (s *Store) TableSelect(ctx context.Context, id int64) error {
	var it Items
	if err := table.Items.SELECT(table.Items.AllColumns).WHERE(table.Items.ID.EQ(Int(id))).FOR(UPDATE()).QueryContext(ctx, s.db, &it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Join reads two tables.
func (s *Store) Join(ctx context.Context, id int64) error {
	var it Items
	stmt := SELECT(table.Items.AllColumns).FROM(table.Items.INNER_JOIN(table.Tags, table.Tags.ItemID.EQ(table.Items.ID))).WHERE(table.Items.ID.EQ(Int(id))).FOR(UPDATE().OF(table.Items))
	if err := stmt.QueryContext(ctx, s.db, &it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Rows reads row by row.
func (s *Store) Rows(ctx context.Context) error {
	rows, err := SELECT(table.Items.ID).FROM(table.Items).FOR(UPDATE()).Rows(ctx, s.db) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it Items
		if err := rows.Scan(&it); err != nil {
			return err
		}
		if err := s.take(ctx, it.ID); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Sql gives the text to a handle.
func (s *Store) Sql(ctx context.Context, id int64) error {
	query, args := SELECT(table.Items.N).FROM(table.Items).WHERE(table.Items.ID.EQ(Int(id))).FOR(UPDATE()).Sql()
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// RawStatement is a text of one's own.
func (s *Store) RawStatement(ctx context.Context) error {
	_, err := RawStatement("SET statement_timeout = 0").ExecContext(ctx, s.db) // expect: sessionset
	return err
}

// RawArguments has arguments with names.
func (s *Store) RawArguments(ctx context.Context, id int64) error {
	var it Items
	if err := RawStatement("SELECT n AS \"items.n\" FROM items WHERE id = #id FOR UPDATE", RawArgs{"#id": id}).QueryContext(ctx, s.db, &it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Lock is LOCK TABLE.
func (s *Store) Lock(ctx context.Context, id int64) error {
	if _, err := table.Items.LOCK().IN(LOCK_EXCLUSIVE).ExecContext(ctx, s.db); err != nil { // expect: notxeffect
		return err
	}
	return s.take(ctx, id)
}

// Struct reads a row into a struct.
func (s *Store) Struct(ctx context.Context, id int64) error {
	var it Items
	if err := SELECT(table.Items.AllColumns).FROM(table.Items).WHERE(table.Items.ID.EQ(Int(id))).QueryContext(ctx, s.db, &it); err != nil {
		return err
	}
	_, err := table.Items.UPDATE(table.Items.N).SET(it.N-1).WHERE(table.Items.ID.EQ(Int(id))).ExecContext(ctx, s.db) // expect: lostupdate
	return err
}

// Slice reads rows.
func (s *Store) Slice(ctx context.Context) error {
	var its []Items
	if err := SELECT(table.Items.ID, table.Items.N).FROM(table.Items).WHERE(table.Items.State.EQ(String("new"))).QueryContext(ctx, s.db, &its); err != nil {
		return err
	}
	for _, it := range its {
		if _, err := table.Items.UPDATE(table.Items.N).SET(Int(it.N-1)).WHERE(table.Items.ID.EQ(Int(it.ID))).ExecContext(ctx, s.db); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// SetColumn is an assignment by the column.
func (s *Store) SetColumn(ctx context.Context, id int64) error {
	var it Items
	if err := SELECT(table.Items.AllColumns).FROM(table.Items).WHERE(table.Items.ID.EQ(Int(id))).QueryContext(ctx, s.db, &it); err != nil {
		return err
	}
	_, err := table.Items.UPDATE().SET(table.Items.N.SET(Int(it.N-1))).WHERE(table.Items.ID.EQ(Int(id))).ExecContext(ctx, s.db) // expect: lostupdate
	return err
}

// Model writes the fields of a struct.
func (s *Store) Model(ctx context.Context, id int64) error {
	var it Items
	if err := SELECT(table.Items.AllColumns).FROM(table.Items).WHERE(table.Items.ID.EQ(Int(id))).QueryContext(ctx, s.db, &it); err != nil {
		return err
	}
	it.N++
	_, err := table.Items.UPDATE(table.Items.N).MODEL(it).WHERE(table.Items.ID.EQ(Int(id))).ExecContext(ctx, s.db) // expect: lostupdate
	return err
}

// And has conditions in one.
func (s *Store) And(ctx context.Context, id int64) error {
	_, err := table.Items.UPDATE(table.Items.State).SET("done").WHERE(table.Items.ID.EQ(Int(id)).AND(table.Items.State.EQ(String("new")))).ExecContext(ctx, s.db) // expect: rowsaffected
	return err
}

// AndList has them in a list.
func (s *Store) AndList(ctx context.Context, id int64) error {
	_, err := table.Items.UPDATE(table.Items.State).SET("done").WHERE(AND(table.Items.ID.EQ(Int(id)), table.Items.State.EQ(String("new")))).ExecContext(ctx, s.db) // expect: rowsaffected
	return err
}

// Relative is computed by the database.
func (s *Store) Relative(ctx context.Context, id, n int64) error {
	_, err := table.Items.UPDATE(table.Items.N).SET(table.Items.N.SUB(Int(n))).WHERE(table.Items.ID.EQ(Int(id)).AND(table.Items.N.GT_EQ(Int(n)))).ExecContext(ctx, s.db) // expect: rowsaffected
	return err
}

// Or is a condition beside others.
func (s *Store) Or(ctx context.Context, id int64) error {
	var it Items
	stmt := SELECT(table.Items.N).FROM(table.Items).WHERE(table.Items.ID.EQ(Int(id)).AND(table.Items.State.EQ(String("new")).OR(table.Items.State.EQ(String("old")))))
	if err := stmt.QueryContext(ctx, s.db, &it); err != nil {
		return err
	}
	_, err := table.Items.UPDATE(table.Items.N).SET(it.N-1).WHERE(table.Items.ID.EQ(Int(id))).ExecContext(ctx, s.db) // expect: lostupdate
	return err
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int64) error {
	var got struct{ Count int64 }
	if err := SELECT(COUNT(STAR).AS("count")).FROM(table.Tags).WHERE(table.Tags.ItemID.EQ(Int(id))).QueryContext(ctx, s.db, &got); err != nil {
		return err
	}
	if got.Count >= 3 {
		return errFew
	}
	_, err := table.Tags.INSERT(table.Tags.ItemID).VALUES(id).ExecContext(ctx, s.db) // missed: lostupdate
	return err
}

// NoRows looks for a row, which there is none of.
func (s *Store) NoRows(ctx context.Context, name string) error {
	var got struct{ ID int64 }
	err := SELECT(table.Tags.ID).FROM(table.Tags).WHERE(table.Tags.Name.EQ(String(name))).QueryContext(ctx, s.db, &got)
	if !errors.Is(err, qrm.ErrNoRows) {
		return err
	}
	_, err = table.Tags.INSERT(table.Tags.Name).VALUES(name).ExecContext(ctx, s.db) // expect: lostupdate
	return err
}

// Returning reads a row of a write.
func (s *Store) Returning(ctx context.Context, id int64) error {
	var it Items
	if err := SELECT(table.Items.N).FROM(table.Items).WHERE(table.Items.ID.EQ(Int(id))).QueryContext(ctx, s.db, &it); err != nil {
		return err
	}
	return table.Items.UPDATE(table.Items.N).SET(it.N-1).WHERE(table.Items.ID.EQ(Int(id))).RETURNING(table.Items.N).QueryContext(ctx, s.db, &it) // expect: lostupdate
}

// Delete deletes rows.
func (s *Store) Delete(ctx context.Context, id int64) error {
	_, err := table.Items.DELETE().WHERE(table.Items.ID.EQ(Int(id)).AND(table.Items.State.EQ(String("new")))).ExecContext(ctx, s.db) // expect: rowsaffected
	return err
}

// Tx runs the statement on the pool in a transaction.
func (s *Store) Tx(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := table.Items.INSERT(table.Items.ID).VALUES(id).ExecContext(ctx, tx); err != nil {
		return err
	}
	if _, err := table.Tags.INSERT(table.Tags.ItemID).VALUES(id).ExecContext(ctx, s.db); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// With is a common table expression.
func (s *Store) With(ctx context.Context) error {
	var it Items
	first := CTE("first")
	stmt := WITH(first.AS(SELECT(table.Tags.ItemID).FROM(table.Tags)))(SELECT(table.Items.ID).FROM(table.Items).FOR(UPDATE()))
	if err := stmt.QueryContext(ctx, s.db, &it); err != nil { // missed: lockoutsidetx
		return err
	}
	return s.take(ctx, it.ID)
}

// newItems is a statement that is made once.
var newItems = SELECT(table.Items.ID).FROM(table.Items).WHERE(table.Items.State.EQ(String("new"))).FOR(UPDATE())

// Variable runs it.
func (s *Store) Variable(ctx context.Context) error {
	var it Items
	if err := newItems.QueryContext(ctx, s.db, &it); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, it.ID)
}
