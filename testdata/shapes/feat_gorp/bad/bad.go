// Package bad has one function for each feature of gorp that docs/libraries.md
// lists and that no other program shows.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/go-gorp/gorp/v3"
	"github.com/jackc/pgx/v5/pgconn"
)

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id,primarykey,autoincrement"`
	N     int64  `db:"n"`
	State string `db:"state"`
}

// Tag is a row of tags; no key keeps two of the same name out.
type Tag struct {
	ID   int64  `db:"id"`
	Item int64  `db:"item_id"`
	Name string `db:"name"`
}

// Box is a row of boxes, whose columns are named where it is mapped.
type Box struct {
	ID int64
	N  int64
}

// Shelf and Rack are mapped in a loop.
type (
	Shelf struct {
		ID int64 `db:"id"`
		N  int64 `db:"n"`
	}
	Rack struct {
		ID int64 `db:"id"`
		N  int64 `db:"n"`
	}
)

var errFew = errors.New("too few")

// Store keeps items.
type Store struct{ db *gorp.DbMap }

// New returns a store.
func New(db *sql.DB) *Store {
	m := &gorp.DbMap{Db: db, Dialect: gorp.PostgresDialect{}}
	m.AddTableWithName(Item{}, "items")
	m.AddTableWithName(Tag{}, "tags").SetKeys(true, "ID")
	boxes := m.AddTableWithName(Box{}, "boxes").SetKeys(true, "ID")
	boxes.ColMap("ID").Rename("box_id")
	boxes.ColMap("N").Rename("items")
	for name, t := range map[string]any{"shelves": Shelf{}, "racks": Rack{}} {
		m.AddTableWithName(t, name).SetKeys(true, "ID")
	}
	m.AddTableWithName(Message{}, "messages").SetKeys(true, "ID")
	return &Store{m}
}

func (s *Store) set(id int64) error {
	_, err := s.db.Exec("UPDATE items SET n = 0 WHERE id = $1", id)
	return err
}

// QueryRow reads columns.
func (s *Store) QueryRow(id int64) error {
	var n int64
	if err := s.db.QueryRow("SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(id)
}

// Query reads rows one by one.
func (s *Store) Query() error {
	rows, err := s.db.Query("SELECT id, n FROM items WHERE n > 0")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, n int64
		if err := rows.Scan(&id, &n); err != nil {
			return err
		}
		if _, err := s.db.Exec("UPDATE items SET n = $1 WHERE id = $2", n-1, id); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// Prepare runs a statement that was prepared.
func (s *Store) Prepare(id int64) error {
	stmt, err := s.db.Prepare("SELECT n FROM items WHERE id = $1 FOR UPDATE")
	if err != nil {
		return err
	}
	defer stmt.Close()
	var n int64
	if err := stmt.QueryRow(id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(id)
}

// Exec leaves a setting to the pool.
func (s *Store) Exec(ctx context.Context) error {
	_, err := s.db.WithContext(ctx).Exec("SET statement_timeout = 0") // expect: sessionset
	return err
}

// Db is the pool of database/sql below.
func (s *Store) Db(ctx context.Context) error {
	_, err := s.db.Db.ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Select reads rows into a slice.
func (s *Store) Select() error {
	var its []Item
	if _, err := s.db.Select(&its, "SELECT * FROM items WHERE n > 0"); err != nil {
		return err
	}
	for i := range its {
		it := its[i]
		it.N--
		if _, err := s.db.Update(&it); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// SelectTyped reads rows into what it gives back.
func (s *Store) SelectTyped() error {
	list, err := s.db.Select(Item{}, "SELECT * FROM items WHERE n > 0")
	if err != nil {
		return err
	}
	for _, x := range list {
		it := x.(*Item)
		it.N--
		if _, err := s.db.Update(it); err != nil { // missed: lostupdate
			return err
		}
	}
	return nil
}

// SelectNull reads a column that may be NULL.
func (s *Store) SelectNull(id int64) error {
	n, err := s.db.SelectNullInt("SELECT n FROM items WHERE id = $1", id)
	if err != nil {
		return err
	}
	_, err = s.db.Exec("UPDATE items SET n = $1 WHERE id = $2", n.Int64-1, id) // expect: lostupdate
	return err
}

// SelectPackage is a function of the package.
func (s *Store) SelectPackage(id int64) error {
	n, err := gorp.SelectInt(s.db, "SELECT n FROM items WHERE id = $1", id)
	if err != nil {
		return err
	}
	_, err = s.db.Exec("UPDATE items SET n = $1 WHERE id = $2", n-1, id) // expect: lostupdate
	return err
}

// Count counts rows.
func (s *Store) Count(item int64) error {
	n, err := s.db.SelectInt("SELECT count(*) FROM tags WHERE item_id = $1", item)
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	return s.db.Insert(&Tag{Item: item}) // expect: lostupdate
}

// Named has arguments in a map.
func (s *Store) Named(id int64) error {
	var it Item
	if err := s.db.SelectOne(&it, "SELECT * FROM items WHERE id = :id", map[string]any{"id": id}); err != nil {
		return err
	}
	it.N--
	_, err := s.db.Update(&it) // expect: lostupdate
	return err
}

// NamedStruct has arguments in a struct.
func (s *Store) NamedStruct(id int64) error {
	it := Item{ID: id}
	if err := s.db.SelectOne(&it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	it.N--
	_, err := s.db.Exec("UPDATE items SET n = :N WHERE id = :ID", it) // expect: lostupdate
	return err
}

// Keys are those that tags name.
func (s *Store) Keys(id int64) error {
	obj, err := s.db.Get(Item{}, id)
	if err != nil || obj == nil {
		return err
	}
	it := obj.(*Item)
	it.N--
	_, err = s.db.Update(it) // expect: lostupdate
	return err
}

// Several writes several rows at once.
func (s *Store) Several(a, b int64) error {
	var from, to Item
	if err := s.db.SelectOne(&from, "SELECT * FROM items WHERE id = $1", a); err != nil {
		return err
	}
	if err := s.db.SelectOne(&to, "SELECT * FROM items WHERE id = $1", b); err != nil {
		return err
	}
	from.N--
	to.N++
	_, err := s.db.Update(&from, &to) // missed: lostupdate
	return err
}

// Columns writes some columns.
func (s *Store) Columns(id int64) error {
	var it Item
	if err := s.db.SelectOne(&it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	it.N--
	_, err := s.db.UpdateColumns(func(c *gorp.ColumnMap) bool { return c.ColumnName == "n" }, &it) // missed: lostupdate
	return err
}

// Renamed has columns that are named where the type is mapped.
func (s *Store) Renamed(id int64) error {
	obj, err := s.db.Get(Box{}, id)
	if err != nil || obj == nil {
		return err
	}
	b := obj.(*Box)
	b.N--
	_, err = s.db.Update(b) // missed: lostupdate
	return err
}

// Mapped is of a type that is mapped in a loop.
func (s *Store) Mapped(id int64) error {
	obj, err := s.db.Get(Shelf{}, id)
	if err != nil || obj == nil {
		return err
	}
	x := obj.(*Shelf)
	x.N--
	_, err = s.db.Update(x) // missed: lostupdate
	return err
}

// Delete deletes a row that it has read, in a transaction.
func (s *Store) Delete(it *Item) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Delete(it); err != nil {
		return err
	}
	if _, err := s.db.Exec("DELETE FROM tags WHERE item_id = $1", it.ID); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

func isDuplicate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Savepoint sets a savepoint and does not go back to it.
func (s *Store) Savepoint(t *Tag) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Savepoint("tag"); err != nil {
		return err
	}
	if err := tx.Insert(t); err != nil {
		if !isDuplicate(err) {
			return err
		}
	}
	if _, err := tx.Exec("UPDATE items SET n = n + 1 WHERE id = $1", t.Item); err != nil { // missed: abortedtx
		return err
	}
	return tx.Commit()
}

// Message is a row of messages.
type Message struct {
	ID  int64  `db:"id"`
	URL string `db:"url"`
}

// PostInsert tells of a message.
func (m *Message) PostInsert(gorp.SqlExecutor) error {
	resp, err := http.Get(m.URL) // missed: externalcall
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

var _ gorp.HasPostInsert = (*Message)(nil)

// Post inserts a message, whose hook is called in the transaction.
func (s *Store) Post(m *Message) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Insert(m); err != nil {
		return err
	}
	return tx.Commit()
}
