// Package bad has one function for each feature of go-pg that docs/libraries.md
// lists and that no other program shows.
package bad

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-pg/pg/v10"
	"github.com/go-pg/pg/v10/orm"
)

// Item is a row of items.
type Item struct {
	tableName struct{} `pg:"items,alias:item"`

	ID    int64  `pg:"id,pk"`
	N     int64  `pg:"n,use_zero"`
	State string `pg:"state"`
	Shelf int64  `pg:"shelf_id"`
	Tags  []Tag  `pg:"rel:has-many"`
}

// Tag is a row of tags; no key keeps two of the same name out.
type Tag struct {
	tableName struct{} `pg:"tags,alias:tag"`

	ID     int64  `pg:"id,pk"`
	ItemID int64  `pg:"item_id"`
	Name   string `pg:"name"`
	Uses   int64  `pg:"uses,use_zero"`
}

// Note is a row of notes, which are kept when they are deleted.
type Note struct {
	tableName struct{} `pg:"notes,alias:note"`

	ID        int64     `pg:"id,pk"`
	State     string    `pg:"state"`
	DeletedAt time.Time `pg:"deleted_at,soft_delete"`
}

var errFew = errors.New("too few")

// Store keeps items.
type Store struct{ db *pg.DB }

func (s *Store) set(ctx context.Context, id, n int64) error {
	_, err := s.db.ModelContext(ctx, (*Item)(nil)).Set("n = ?", n).Where("id = ?", id).Update()
	return err
}

// QueryOne reads a row by a text.
func (s *Store) QueryOne(ctx context.Context, id int64) error {
	it := new(Item)
	if _, err := s.db.QueryOneContext(ctx, it, "SELECT * FROM items WHERE id = ? FOR UPDATE", id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(ctx, id, 0)
}

// Scan reads a column by a text.
func (s *Store) Scan(ctx context.Context, id int64) error {
	var n int64
	if _, err := s.db.QueryOneContext(ctx, pg.Scan(&n), "SELECT n FROM items WHERE id = ?", id); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = ? WHERE id = ?", n-1, id) // missed: lostupdate
	return err
}

// Query reads rows by a text.
func (s *Store) Query(ctx context.Context) error {
	var its []Item
	if _, err := s.db.QueryContext(ctx, &its, "SELECT * FROM items WHERE n > 0"); err != nil {
		return err
	}
	for _, it := range its {
		if _, err := s.db.ExecContext(ctx, "UPDATE items SET n = ? WHERE id = ?", it.N-1, it.ID); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Prepare runs a statement that was prepared.
func (s *Store) Prepare(ctx context.Context, id int64) error {
	stmt, err := s.db.Prepare("SELECT * FROM items WHERE id = $1 FOR UPDATE")
	if err != nil {
		return err
	}
	defer stmt.Close()
	it := new(Item)
	if _, err := stmt.QueryOneContext(ctx, it, id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(ctx, id, 0)
}

// WithTimeout is a database with another timeout.
func (s *Store) WithTimeout(ctx context.Context, id int64) error {
	db := s.db.WithTimeout(time.Second)
	it := &Item{ID: id}
	if err := db.ModelContext(ctx, it).WherePK().For("NO KEY UPDATE").Select(); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(ctx, id, 0)
}

// Conn leaves a setting on a connection that goes back to the pool.
func (s *Store) Conn(ctx context.Context) (int, error) {
	conn := s.db.Conn()
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SET statement_timeout = 0"); err != nil { // missed: sessionset
		return 0, err
	}
	return conn.ModelContext(ctx, (*Item)(nil)).Count()
}

// SelectColumns reads columns into variables.
func (s *Store) SelectColumns(ctx context.Context, id int64) error {
	var n int64
	if err := s.db.ModelContext(ctx, (*Item)(nil)).Column("n").Where("id = ?", id).Select(&n); err != nil {
		return err
	}
	_, err := s.db.ModelContext(ctx, (*Item)(nil)).Set("n = ?", n-1).Where("id = ?", id).Update() // expect: lostupdate
	return err
}

// SelectSlice reads rows into a slice.
func (s *Store) SelectSlice(ctx context.Context) error {
	var its []*Item
	if err := s.db.ModelContext(ctx, &its).Where("n > 0").Select(); err != nil {
		return err
	}
	for _, it := range its {
		it.N--
		if _, err := s.db.ModelContext(ctx, it).Column("n").WherePK().Update(); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// ForEach calls a function with each row.
func (s *Store) ForEach(ctx context.Context) error {
	return s.db.ModelContext(ctx, (*Item)(nil)).Where("n > 0").ForEach(func(it *Item) error {
		it.N--
		_, err := s.db.ModelContext(ctx, it).Column("n").WherePK().Update() // missed: lostupdate
		return err
	})
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, item int64) error {
	n, err := s.db.ModelContext(ctx, (*Tag)(nil)).Where("item_id = ?", item).Count()
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err = s.db.ModelContext(ctx, &Tag{ItemID: item}).Insert() // expect: lostupdate
	return err
}

// Exists is whether there is a row.
func (s *Store) Exists(ctx context.Context, name string) error {
	there, err := s.db.ModelContext(ctx, (*Tag)(nil)).Where("name = ?", name).Exists()
	if err != nil || there {
		return err
	}
	_, err = s.db.ModelContext(ctx, &Tag{Name: name}).Insert() // expect: lostupdate
	return err
}

// NoRows is the error for no row.
func (s *Store) NoRows(ctx context.Context, name string) error {
	tag := new(Tag)
	err := s.db.ModelContext(ctx, tag).Where("name = ?", name).Select()
	if errors.Is(err, pg.ErrNoRows) {
		_, err = s.db.ModelContext(ctx, &Tag{Name: name}).Insert() // expect: lostupdate
	}
	return err
}

// SelectOrInsert reads, and inserts where there is none, in two statements.
func (s *Store) SelectOrInsert(ctx context.Context, name string) error {
	_, err := s.db.ModelContext(ctx, &Tag{Name: name}).Where("name = ?name").SelectOrInsert() // missed: lostupdate
	return err
}

// UpdateNotZero writes the fields that are not zero.
func (s *Store) UpdateNotZero(ctx context.Context, id int64) error {
	it := &Item{ID: id}
	if err := s.db.ModelContext(ctx, it).WherePK().Select(); err != nil {
		return err
	}
	it.N++
	_, err := s.db.ModelContext(ctx, it).WherePK().UpdateNotZero() // expect: lostupdate
	return err
}

// UpdateSlice writes the rows of a slice.
func (s *Store) UpdateSlice(ctx context.Context) error {
	var its []*Item
	if err := s.db.ModelContext(ctx, &its).Where("n > 0").Select(); err != nil {
		return err
	}
	for _, it := range its {
		it.N--
	}
	_, err := s.db.ModelContext(ctx, &its).Column("n").Update() // missed: lostupdate
	return err
}

// ExcludeColumn leaves columns out.
func (s *Store) ExcludeColumn(ctx context.Context, id int64) error {
	it := &Item{ID: id}
	if err := s.db.ModelContext(ctx, it).WherePK().Select(); err != nil {
		return err
	}
	it.N++
	_, err := s.db.ModelContext(ctx, it).ExcludeColumn("state", "shelf_id").WherePK().Update() // expect: lostupdate
	return err
}

// Returning reads the row of a write.
func (s *Store) Returning(ctx context.Context, id int64) error {
	it := &Item{ID: id}
	if err := s.db.ModelContext(ctx, it).WherePK().Select(); err != nil {
		return err
	}
	it.N++
	_, err := s.db.ModelContext(ctx, it).Column("n").WherePK().Returning("n").Update() // expect: lostupdate
	return err
}

// OnConflict writes a value over the one that was read.
func (s *Store) OnConflict(ctx context.Context, id int64) error {
	it := &Item{ID: id}
	if err := s.db.ModelContext(ctx, it).WherePK().Select(); err != nil {
		return err
	}
	it.N++
	_, err := s.db.ModelContext(ctx, it).OnConflict("(id) DO UPDATE").Set("n = EXCLUDED.n").Insert() // expect: lostupdate
	return err
}

// WhereGroup has conditions in brackets.
func (s *Store) WhereGroup(ctx context.Context, id int64) error {
	_, err := s.db.ModelContext(ctx, (*Item)(nil)).Set("state = 'done'"). // missed: rowsaffected
										Where("id = ?", id).
										WhereGroup(func(q *orm.Query) (*orm.Query, error) { return q.Where("state = ?", "new"), nil }).
										Update()
	return err
}

// Delete deletes a row that is guarded.
func (s *Store) Delete(ctx context.Context, id int64) error {
	_, err := s.db.ModelContext(ctx, (*Item)(nil)).Where("id = ?", id).Where("state = ?", "new").Delete() // expect: rowsaffected
	return err
}

// SoftDelete keeps the row.
func (s *Store) SoftDelete(ctx context.Context, id int64) error {
	_, err := s.db.ModelContext(ctx, (*Note)(nil)).Where("id = ?", id).Where("state = ?", "new").Delete() // expect: rowsaffected
	return err
}

// Spread is a query that is made over several statements.
func (s *Store) Spread(ctx context.Context, id int64, state string) error {
	it := new(Item)
	q := s.db.ModelContext(ctx, it).Where("id = ?", id)
	if state != "" {
		q = q.Where("state = ?", state)
	}
	q = q.For("UPDATE")
	if err := q.Select(); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.set(ctx, id, 0)
}

func locked(q *orm.Query) (*orm.Query, error) { return q.For("UPDATE"), nil }

// Apply gives the query to a function.
func (s *Store) Apply(ctx context.Context, id int64) error {
	it := new(Item)
	if err := s.db.ModelContext(ctx, it).Where("id = ?", id).Apply(locked).Select(); err != nil { // missed: lockoutsidetx
		return err
	}
	return s.set(ctx, id, 0)
}

// ApplyLiteral gives it to a function that stands there.
func (s *Store) ApplyLiteral(ctx context.Context, id int64) error {
	it := new(Item)
	err := s.db.ModelContext(ctx, it).Where("id = ?", id).Apply(func(q *orm.Query) (*orm.Query, error) { return q.For("UPDATE"), nil }).Select() // missed: lockoutsidetx
	if err != nil {
		return err
	}
	return s.set(ctx, id, 0)
}

// Relation reads rows of another table with the row.
func (s *Store) Relation(ctx context.Context, id int64) error {
	it := &Item{ID: id}
	if err := s.db.ModelContext(ctx, it).Relation("Tags").WherePK().Select(); err != nil {
		return err
	}
	for i := range it.Tags {
		it.Tags[i].Uses++
		if _, err := s.db.ModelContext(ctx, &it.Tags[i]).Column("uses").WherePK().Update(); err != nil { // missed: lostupdate
			return err
		}
	}
	return nil
}

// Join reads a row by one of another table.
func (s *Store) Join(ctx context.Context, name string) error {
	it := new(Item)
	if err := s.db.ModelContext(ctx, it).Join("JOIN tags AS t ON t.item_id = item.id").Where("t.name = ?", name).Select(); err != nil {
		return err
	}
	it.N++
	_, err := s.db.ModelContext(ctx, it).Column("n").WherePK().Update() // expect: lostupdate
	return err
}

// With locks the rows of a query that has a name.
func (s *Store) With(ctx context.Context, id int64) error {
	it := new(Item)
	next := s.db.Model((*Item)(nil)).Where("id = ?", id).For("UPDATE")
	if err := s.db.ModelContext(ctx, it).With("next", next).Table("next").Select(); err != nil { // missed: lockoutsidetx
		return err
	}
	return s.set(ctx, id, 0)
}

// Union reads the rows of two queries.
func (s *Store) Union(ctx context.Context, id int64) error {
	var its []Item
	err := s.db.ModelContext(ctx, &its).Where("id = ?", id).UnionAll(s.db.Model((*Item)(nil)).Where("shelf_id = ?", id)).Select()
	if err != nil {
		return err
	}
	for _, it := range its {
		it.N++
		if _, err := s.db.ModelContext(ctx, &it).Column("n").WherePK().Update(); err != nil { // missed: lostupdate
			return err
		}
	}
	return nil
}

// Numbered has arguments that are named by their numbers.
func (s *Store) Numbered(ctx context.Context, id int64) error {
	var n int64
	if _, err := s.db.QueryOneContext(ctx, pg.Scan(&n), "SELECT n FROM items WHERE id = ?0", id); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = ?1 WHERE id = ?0", id, n-1) // missed: lostupdate
	return err
}

// Named has arguments that are the fields of a model.
func (s *Store) Named(ctx context.Context, id int64) error {
	it := &Item{ID: id}
	if _, err := s.db.QueryOneContext(ctx, it, "SELECT * FROM items WHERE id = ?", id); err != nil {
		return err
	}
	it.N++
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = ?n WHERE id = ?id", it) // expect: lostupdate
	return err
}

// NamedOther has arguments that are the fields of another struct.
func (s *Store) NamedOther(ctx context.Context, id int64) error {
	it := new(Item)
	if _, err := s.db.QueryOneContext(ctx, it, "SELECT * FROM items WHERE id = ?", id); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = ?n WHERE id = ?id", struct{ ID, N int64 }{id, it.N + 1}) // expect: lostupdate
	return err
}

// CopyFrom copies rows in on a second connection.
func (s *Store) CopyFrom(ctx context.Context, it *Item, tags io.Reader) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ModelContext(ctx, it).Insert(); err != nil {
			return err
		}
		_, err := s.db.CopyFrom(tags, "COPY tags FROM STDIN") // expect: poolintx
		return err
	})
}

// Message is a row of messages.
type Message struct {
	tableName struct{} `pg:"messages"`

	ID  int64  `pg:"id,pk"`
	URL string `pg:"url"`
}

// AfterInsert sends what was inserted.
func (m *Message) AfterInsert(ctx context.Context) error {
	resp, err := http.Post(m.URL, "text/plain", strings.NewReader("new")) // missed: externalcall
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

var _ orm.AfterInsertHook = (*Message)(nil)

// Post inserts a message, whose hook is called in the transaction.
func (s *Store) Post(ctx context.Context, m *Message) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		_, err := tx.ModelContext(ctx, m).Insert()
		return err
	})
}
