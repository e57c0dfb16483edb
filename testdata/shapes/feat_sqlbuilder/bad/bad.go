// Package bad has one function for each feature of go-sqlbuilder that
// docs/libraries.md lists.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"github.com/huandu/go-sqlbuilder"
	_ "github.com/lib/pq"
)

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id"`
	N     int64  `db:"n"`
	State string `db:"state"`
}

var errFew = errors.New("too few")

var itemStruct = sqlbuilder.NewStruct(new(Item)).For(sqlbuilder.PostgreSQL)

// Store keeps items.
type Store struct{ db *sql.DB }

// Open opens a store.
func Open(dsn string) (*Store, error) {
	db, err := sql.Open("postgres", dsn)
	return &Store{db}, err
}

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = 0 WHERE id = $1", id)
	return err
}

// ForUpdate locks rows.
func (s *Store) ForUpdate(ctx context.Context, id int64) error {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("n").From("items").Where(sb.Equal("id", id)).ForUpdate()
	query, args := sb.Build()
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// SQL adds a text at the end.
func (s *Store) SQL(ctx context.Context, id int64) error {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("n").From("items").Where(sb.EQ("id", id)).SQL("FOR NO KEY UPDATE NOWAIT")
	query, args := sb.Build()
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Package makes builders with the default flavor.
func (s *Store) Package(ctx context.Context, id int64) error {
	sb := sqlbuilder.Select("n").From("items")
	sb.SetFlavor(sqlbuilder.PostgreSQL)
	sb.Where(sb.Equal("id", id)).ForUpdate()
	query, args := sb.Build()
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// BuildWithFlavor has the flavor at the end.
func (s *Store) BuildWithFlavor(ctx context.Context, id int64) error {
	sb := sqlbuilder.NewSelectBuilder()
	sb.Select("n").From("items").Where(sb.Equal("id", id)).ForUpdate()
	query, args := sb.BuildWithFlavor(sqlbuilder.PostgreSQL)
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Join reads two tables.
func (s *Store) Join(ctx context.Context, id int64) error {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("i.n").From("items i").Join("tags t", "t.item_id = i.id").Where(sb.Equal("i.id", id)).ForUpdate()
	query, args := sb.Build()
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// In is a list.
func (s *Store) In(ctx context.Context, ids []int64) error {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("id").From("items").Where(sb.In("id", sqlbuilder.List(ids))).ForUpdate()
	query, args := sb.Build()
	rows, err := s.db.QueryContext(ctx, query, args...) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if err := s.take(ctx, id); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *Store) get(ctx context.Context, id int64) (it Item, err error) {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("id", "n", "state").From("items").Where(sb.Equal("id", id))
	query, args := sb.Build()
	err = s.db.QueryRowContext(ctx, query, args...).Scan(&it.ID, &it.N, &it.State)
	return it, err
}

// Assign writes a column.
func (s *Store) Assign(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("items").Set(ub.Assign("n", it.N-1)).Where(ub.Equal("id", id))
	query, args := ub.Build()
	_, err = s.db.ExecContext(ctx, query, args...) // expect: lostupdate
	return err
}

// SetMore adds an assignment.
func (s *Store) SetMore(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("items").Set(ub.Assign("state", "taken"))
	ub.SetMore(ub.Assign("n", it.N-1))
	ub.Where(ub.Equal("id", id))
	query, args := ub.Build()
	_, err = s.db.ExecContext(ctx, query, args...) // expect: lostupdate
	return err
}

// Var is a value in a text of one's own.
func (s *Store) Var(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("items").Set("n = " + ub.Var(it.N-1)).Where("id = " + ub.Var(id))
	query, args := ub.Build()
	_, err = s.db.ExecContext(ctx, query, args...) // missed: lostupdate
	return err
}

// And has conditions in a list.
func (s *Store) And(ctx context.Context, id int64) error {
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("items").Set(ub.Assign("state", "done")).Where(ub.And(ub.Equal("id", id), ub.Equal("state", "new")))
	query, args := ub.Build()
	_, err := s.db.ExecContext(ctx, query, args...) // expect: rowsaffected
	return err
}

// Sub is a relative assignment under a condition.
func (s *Store) Sub(ctx context.Context, id, n int64) error {
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("items").Set(ub.Sub("n", n)).Where(ub.Equal("id", id), ub.GreaterEqualThan("n", n))
	query, args := ub.Build()
	_, err := s.db.ExecContext(ctx, query, args...) // expect: rowsaffected
	return err
}

// Or is a condition beside others.
func (s *Store) Or(ctx context.Context, id int64) error {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("n").From("items").Where(sb.Equal("id", id), sb.Or(sb.Equal("state", "new"), sb.Equal("state", "old"))).ForUpdate()
	query, args := sb.Build()
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Cols are the columns and values of an INSERT.
func (s *Store) Cols(ctx context.Context, id int64) error {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("count(*)").From("tags").Where(sb.Equal("item_id", id))
	query, args := sb.Build()
	var n int
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	ib := sqlbuilder.PostgreSQL.NewInsertBuilder()
	ib.InsertInto("tags").Cols("item_id", "name").Values(id, "new")
	query, args = ib.Build()
	_, err := s.db.ExecContext(ctx, query, args...) // expect: lostupdate
	return err
}

// Delete deletes rows.
func (s *Store) Delete(ctx context.Context, id int64) error {
	db := sqlbuilder.PostgreSQL.NewDeleteBuilder()
	db.DeleteFrom("items").Where(db.Equal("id", id), db.Equal("state", "new"))
	query, args := db.Build()
	_, err := s.db.ExecContext(ctx, query, args...) // expect: rowsaffected
	return err
}

func locked(sb *sqlbuilder.SelectBuilder) { sb.ForUpdate() }

// Helper gives the builder to a function.
func (s *Store) Helper(ctx context.Context, id int64) error {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("n").From("items").Where(sb.Equal("id", id))
	locked(sb)
	query, args := sb.Build()
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // missed: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Struct makes builders for a struct.
func (s *Store) Struct(ctx context.Context, id int64) error {
	sb := itemStruct.SelectFrom("items")
	sb.Where(sb.Equal("id", id)).ForUpdate()
	query, args := sb.Build()
	var it Item
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(itemStruct.Addr(&it)...); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// StructUpdate writes the fields of one.
func (s *Store) StructUpdate(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	it.N++
	ub := itemStruct.Update("items", it)
	ub.Where(ub.Equal("id", id))
	query, args := ub.Build()
	_, err = s.db.ExecContext(ctx, query, args...) // missed: lostupdate
	return err
}

// Buildf makes a text of one's own.
func (s *Store) Buildf(ctx context.Context, id int64) error {
	query, args := sqlbuilder.Buildf("SELECT n FROM items WHERE id = %v FOR UPDATE", id).BuildWithFlavor(sqlbuilder.PostgreSQL)
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // missed: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}
