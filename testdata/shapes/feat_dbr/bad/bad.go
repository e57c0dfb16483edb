// Package bad has one function for each feature of dbr that docs/libraries.md lists
// and no other program shows.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/gocraft/dbr/v2"
	"github.com/gocraft/dbr/v2/dialect"
)

var errFew = errors.New("too few")

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id"`
	N     int64  `db:"n"`
	State string `db:"state"`
}

// Repo keeps items.
type Repo struct {
	conn *dbr.Connection
	sess *dbr.Session
}

// Open opens a repository.
func Open(dsn string) (*Repo, error) {
	conn, err := dbr.Open("postgres", dsn, nil)
	if err != nil {
		return nil, err
	}
	return &Repo{conn: conn, sess: conn.NewSession(nil)}, nil
}

func (r *Repo) set(id, n int64) error {
	_, err := r.sess.Update("items").Set("n", n).Where("id = ?", id).Exec()
	return err
}

// Load reads into a slice.
func (r *Repo) Load() error {
	var all []Item
	if _, err := r.sess.Select("id", "n").From("items").Where(dbr.Eq("state", "new")).Load(&all); err != nil {
		return err
	}
	for _, it := range all {
		if err := r.set(it.ID, it.N-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// LoadOne reads into a struct.
func (r *Repo) LoadOne(id int64) error {
	var it Item
	if err := r.sess.Select("*").From("items").Where("id = ?", id).LoadOne(&it); err != nil {
		return err
	}
	return r.set(id, it.N-1) // expect: lostupdate
}

// Return reads a number.
func (r *Repo) Return(id int64) error {
	n, err := r.sess.Select("n").From("items").Where("id = ?", id).ReturnInt64()
	if err != nil {
		return err
	}
	return r.set(id, n-1) // expect: lostupdate
}

// Rows reads rows one by one.
func (r *Repo) Rows(ctx context.Context) error {
	rows, err := r.sess.Select("id", "n").From("items").Where(dbr.Eq("state", "new")).RowsContext(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, n int64
		if err := rows.Scan(&id, &n); err != nil {
			return err
		}
		if err := r.set(id, n-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// Iterate reads them into structs.
func (r *Repo) Iterate() error {
	iter, err := r.sess.Select("id", "n").From("items").Where(dbr.Eq("state", "new")).Iterate()
	if err != nil {
		return err
	}
	defer iter.Close()
	for iter.Next() {
		var it Item
		if err := iter.Scan(&it); err != nil {
			return err
		}
		if err := r.set(it.ID, it.N-1); err != nil { // missed: lostupdate
			return err
		}
	}
	return iter.Err()
}

// Map reads into a map.
func (r *Repo) Map() error {
	left := map[int64]int64{}
	if _, err := r.sess.Select("id", "n").From("items").Where(dbr.Eq("state", "new")).Load(&left); err != nil {
		return err
	}
	for id, n := range left {
		if err := r.set(id, n-1); err != nil { // missed: lostupdate
			return err
		}
	}
	return nil
}

// Count decides by a count.
func (r *Repo) Count(id int64) error {
	var n int
	if err := r.sess.Select("count(*)").From("tags").Where("item_id = ?", id).LoadOne(&n); err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err := r.sess.InsertInto("tags").Columns("item_id").Values(id).Exec() // expect: lostupdate
	return err
}

// NotFound decides by dbr.ErrNotFound.
func (r *Repo) NotFound(id int64) error {
	var name string
	err := r.sess.Select("name").From("tags").Where("item_id = ?", id).LoadOne(&name)
	if !errors.Is(err, dbr.ErrNotFound) {
		return err
	}
	_, err = r.sess.InsertInto("tags").Pair("item_id", id).Pair("name", "first").Exec() // expect: lostupdate
	return err
}

// SetMap writes a map.
func (r *Repo) SetMap(id int64) error {
	var it Item
	if err := r.sess.Select("*").From("items").Where("id = ?", id).LoadOne(&it); err != nil {
		return err
	}
	_, err := r.sess.Update("items").SetMap(map[string]any{"n": it.N - 1, "state": "sold"}).Where("id = ?", id).Exec() // expect: lostupdate
	return err
}

// SetExpr writes an expression with a value.
func (r *Repo) SetExpr(id int64) error {
	var it Item
	if err := r.sess.Select("*").From("items").Where("id = ?", id).LoadOne(&it); err != nil {
		return err
	}
	_, err := r.sess.Update("items").Set("n", dbr.Expr("?::bigint", it.N-1)).Where("id = ?", id).Exec() // expect: lostupdate
	return err
}

// Returning reads what an update returns, and writes it.
func (r *Repo) Returning(id int64) error {
	var n int64
	if err := r.sess.Update("items").Set("state", "sold").Where("id = ?", id).Returning("n").Load(&n); err != nil {
		return err
	}
	return r.set(id, n-1) // missed: lostupdate
}

// And has conditions in dbr.And.
func (r *Repo) And(id int64) error {
	_, err := r.sess.Update("items").Set("state", "done").Where(dbr.And(dbr.Eq("id", id), dbr.Eq("state", "new"))).Exec() // expect: rowsaffected
	return err
}

// Or is a condition beside others.
func (r *Repo) Or(id int64) error {
	var it Item
	err := r.sess.Select("id", "n").From("items").Where("id = ?", id).Where(dbr.Or(dbr.Eq("state", "new"), dbr.Gt("n", 0))).LoadOne(&it)
	if err != nil {
		return err
	}
	return r.set(id, it.N-1) // expect: lostupdate
}

// List is a list as an argument.
func (r *Repo) List(ids []int64) error {
	var all []Item
	if _, err := r.sess.Select("id", "n").From("items").Where("id IN ?", ids).Load(&all); err != nil {
		return err
	}
	for _, it := range all {
		if err := r.set(it.ID, it.N-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Delete deletes where the state is the one that was read.
func (r *Repo) Delete(id int64, version int) error {
	_, err := r.sess.DeleteFrom("items").Where("id = ? AND version = ?", id, version).Exec() // expect: rowsaffected
	return err
}

// Join locks one table of a join.
func (r *Repo) Join(id int64) error {
	var it Item
	err := r.sess.Select("i.id", "i.n").From(dbr.I("items").As("i")).Join(dbr.I("tags").As("t"), "t.item_id = i.id").Where("t.id = ?", id).Suffix("FOR UPDATE OF i").LoadOne(&it) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return r.set(it.ID, 0)
}

// SelectBySQL is a text.
func (r *Repo) SelectBySQL(id int64) error {
	var n int64
	if err := r.sess.SelectBySql("SELECT n FROM items WHERE id = ? FOR UPDATE", id).LoadOne(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return r.set(id, 0)
}

// Subquery locks in a statement that is the table of another.
func (r *Repo) Subquery() error {
	next := dbr.Select("id").From("items").Where(dbr.Eq("state", "new")).Limit(1).Suffix("FOR UPDATE")
	id, err := r.sess.Select("id").From(next.As("next")).ReturnInt64() // missed: lockoutsidetx
	if err != nil {
		return err
	}
	return r.set(id, 0)
}

// Argument locks in a statement that is an argument of another.
func (r *Repo) Argument() error {
	var it Item
	next := dbr.Select("id").From("items").Where(dbr.Eq("state", "new")).Limit(1).Suffix("FOR UPDATE")
	if err := r.sess.Select("*").From("items").Where("id IN ?", next).LoadOne(&it); err != nil { // missed: lockoutsidetx
		return err
	}
	return r.set(it.ID, 0)
}

// TwoFields writes with the connection that one field keeps, beside a transaction of
// the session that another keeps.
func (r *Repo) TwoFields(ctx context.Context, id int64) error {
	tx, err := r.sess.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if _, err := tx.InsertBySql("INSERT INTO items (id) VALUES (?)", id).Exec(); err != nil {
		return err
	}
	if _, err := r.conn.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id); err != nil { // missed: poolintx
		return err
	}
	return tx.Commit()
}

// Union locks in the statements of a union, each in parentheses of its own.
func (r *Repo) Union(id int64) error {
	var all []int64
	u := dbr.UnionAll(
		dbr.SelectBySql("(SELECT n FROM items WHERE id = ? FOR UPDATE)", id),
		dbr.SelectBySql("(SELECT n FROM old_items WHERE id = ? FOR UPDATE)", id),
	)
	if _, err := r.sess.Select("n").From(u.As("u")).Load(&all); err != nil { // missed: lockoutsidetx
		return err
	}
	return r.set(id, 0)
}

// Having counts the rows of each group.
func (r *Repo) Having(id int64) error {
	n, err := r.sess.Select("count(*)").From("tags").Where("item_id = ?", id).GroupBy("item_id").Having("count(*) < ?", 3).ReturnInt64()
	if err != nil || n >= 3 {
		return err
	}
	_, err = r.sess.InsertInto("tags").Pair("item_id", id).Exec() // missed: lostupdate
	return err
}

// Record inserts a row that a read has decided on.
func (r *Repo) Record(item Item) error {
	names, err := r.sess.Select("name").From("tags").Where("item_id = ?", item.ID).ReturnStrings()
	if err != nil || len(names) > 0 {
		return err
	}
	tag := struct {
		ItemID int64
		Name   string
	}{item.ID, "first"}
	_, err = r.sess.InsertInto("tags").Columns("item_id", "name").Record(&tag).Exec() // expect: lostupdate
	return err
}

// Several inserts several rows that a read has decided on.
func (r *Repo) Several(id int64) error {
	var n int
	if err := r.sess.Select("count(*)").From("tags").Where("item_id = ?", id).LoadOne(&n); err != nil {
		return err
	}
	if n >= 2 {
		return errFew
	}
	_, err := r.sess.InsertInto("tags").Columns("item_id", "name").Values(id, "a").Values(id, "b").Exec() // missed: lostupdate
	return err
}

// open is a statement that a function makes.
func open(db dbr.SessionRunner) *dbr.SelectStmt {
	return db.Select("id", "n").From("items").Where(dbr.Eq("state", "new"))
}

// Helper adds a lock to it.
func (r *Repo) Helper() error {
	var it Item
	if err := open(r.sess).Suffix("FOR UPDATE").LoadOne(&it); err != nil { // expect: lockoutsidetx
		return err
	}
	return r.set(it.ID, 0)
}

// Paths adds it on some paths.
func (r *Repo) Paths(lock bool) error {
	var it Item
	stmt := open(r.sess)
	if lock {
		stmt.Suffix("FOR UPDATE")
	}
	if err := stmt.LoadOne(&it); err != nil { // expect: lockoutsidetx
		return err
	}
	return r.set(it.ID, 0)
}

// BeginTx writes beside a transaction.
func (r *Repo) BeginTx(ctx context.Context, id int64) error {
	tx, err := r.sess.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if _, err := tx.InsertBySql("INSERT INTO items (id) VALUES (?)", id).Exec(); err != nil {
		return err
	}
	if _, err := r.sess.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// TxField is the transaction of database/sql below.
func (r *Repo) TxField(id int64) error {
	tx, err := r.sess.Begin()
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if _, err := tx.Tx.Exec("SET statement_timeout = 0"); err != nil { // expect: sessionset
		return err
	}
	if _, err := tx.Update("items").Set("n", 0).Where("id = ?", id).Exec(); err != nil {
		return err
	}
	return tx.Commit()
}

// Over is a connection over a pool of database/sql.
func Over(db *sql.DB, id int64) error {
	conn := &dbr.Connection{DB: db, Dialect: dialect.PostgreSQL, EventReceiver: &dbr.NullEventReceiver{}}
	sess := conn.NewSession(nil)
	sess.Timeout = time.Second
	n, err := sess.SelectBySql("SELECT n FROM items WHERE id = ? FOR UPDATE", id).ReturnInt64() // expect: lockoutsidetx
	if err != nil {
		return err
	}
	_, err = sess.Update("items").Set("n", n-1).Where("id = ?", id).Exec()
	return err
}

// Interpolate sends a text that is made without a session.
func (r *Repo) Interpolate(id int64) error {
	query, err := dbr.InterpolateForDialect("SELECT n FROM items WHERE id = ? FOR UPDATE", []any{id}, dialect.PostgreSQL)
	if err != nil {
		return err
	}
	var n int64
	if err := r.conn.QueryRow(query).Scan(&n); err != nil { // missed: lockoutsidetx
		return err
	}
	return r.set(id, 0)
}
