// Package bad has one function for each feature of upper/db that docs/libraries.md
// lists and no other program shows.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"github.com/upper/db/v4"
	"github.com/upper/db/v4/adapter/postgresql"
)

var errFew = errors.New("too few")

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id,omitempty"`
	N     int64  `db:"n"`
	State string `db:"state"`
}

// Store makes an item a record.
func (*Item) Store(sess db.Session) db.Store { return sess.Collection("items") }

// A Ticket is a record whose store is a type.
type Ticket struct {
	ID int64 `db:"id,omitempty"`
	N  int64 `db:"n"`
}

// Tickets are the store of tickets.
type Tickets struct{ db.Collection }

// Store makes a ticket a record.
func (*Ticket) Store(sess db.Session) db.Store { return &Tickets{sess.Collection("tickets")} }

// BeforeUpdate writes beside the transaction of the record.
func (t *Ticket) BeforeUpdate(db.Session) error {
	_, err := pool.SQL().Exec("INSERT INTO log (line) VALUES ('saved')")
	return err
}

var pool db.Session

// Open opens the database.
func Open(url postgresql.ConnectionURL) (err error) {
	pool, err = postgresql.Open(url)
	return err
}

// Repo keeps items.
type Repo struct{ sess db.Session }

// New opens a repository.
func New(url postgresql.ConnectionURL) (*Repo, error) {
	sess, err := postgresql.Open(url)
	return &Repo{sess}, err
}

func set(sess db.Session, id, n int64) error {
	return sess.Collection("items").Find(id).Update(map[string]any{"n": n})
}

// Query reads rows one by one.
func (r *Repo) Query() error {
	rows, err := r.sess.SQL().Query("SELECT id, n FROM items WHERE state = ?", "new")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, n int64
		if err := rows.Scan(&id, &n); err != nil {
			return err
		}
		if err := set(r.sess, id, n-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// Iterator reads rows with the iterator of a text.
func (r *Repo) Iterator() error {
	iter := r.sess.SQL().Iterator("SELECT id, n FROM items WHERE state = ?", "new")
	defer iter.Close()
	var it Item
	for iter.Next(&it) {
		if err := set(r.sess, it.ID, it.N-1); err != nil { // missed: lostupdate
			return err
		}
	}
	return iter.Err()
}

// ResultNext reads the rows of a result one by one.
func (r *Repo) ResultNext() error {
	res := r.sess.Collection("items").Find("state", "new")
	defer res.Close()
	var it Item
	for res.Next(&it) {
		if err := set(r.sess, it.ID, it.N-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return res.Err()
}

// ResultAll reads them into a slice.
func (r *Repo) ResultAll() error {
	var all []Item
	if err := r.sess.Collection("items").Find(db.Cond{"state": "new"}).All(&all); err != nil {
		return err
	}
	for _, it := range all {
		if err := set(r.sess, it.ID, it.N-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// ResultOne updates the result that was read.
func (r *Repo) ResultOne(id int64) error {
	var it Item
	res := r.sess.Collection("items").Find(id)
	if err := res.One(&it); err != nil {
		return err
	}
	it.N--
	return res.Update(it) // expect: lostupdate
}

// Count decides by a count.
func (r *Repo) Count(id int64) error {
	n, err := r.sess.Collection("tags").Find(db.Cond{"item_id": id}).Count()
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err = r.sess.Collection("tags").Insert(map[string]any{"item_id": id}) // expect: lostupdate
	return err
}

// Exists decides by whether there is a row.
func (r *Repo) Exists(id int64) error {
	ok, err := r.sess.Collection("tags").Find(db.Cond{"item_id": id}).Exists()
	if err != nil || ok {
		return err
	}
	_, err = r.sess.Collection("tags").Insert(map[string]any{"item_id": id}) // expect: lostupdate
	return err
}

// NoRow decides by db.ErrNoMoreRows.
func (r *Repo) NoRow(id int64) error {
	var tag struct {
		Name string `db:"name"`
	}
	err := r.sess.Collection("tags").Find(db.Cond{"item_id": id}).One(&tag)
	if !errors.Is(err, db.ErrNoMoreRows) {
		return err
	}
	_, err = r.sess.Collection("tags").Insert(map[string]any{"item_id": id, "name": "first"}) // missed: lostupdate
	return err
}

// Record gets a record and saves it.
func (r *Repo) Record(id int64) error {
	var it Item
	if err := r.sess.Get(&it, id); err != nil {
		return err
	}
	it.N--
	return r.sess.Save(&it) // expect: lostupdate
}

// OwnStore does so with a record whose store is a type.
func (r *Repo) OwnStore(id int64) error {
	var t Ticket
	if err := r.sess.Get(&t, id); err != nil {
		return err
	}
	t.N--
	return r.sess.Save(&t) // expect: lostupdate
}

// Hook saves a record in a transaction; its hook writes beside it.
func Hook(id int64) error {
	return pool.Tx(func(tx db.Session) error {
		if _, err := tx.SQL().Exec("UPDATE items SET n = n - 1 WHERE id = ?", id); err != nil {
			return err
		}
		return tx.Save(&Ticket{ID: id, N: 1}) // missed: poolintx
	})
}

// UpdateReturning writes a row that was read.
func (r *Repo) UpdateReturning(id int64) error {
	items := r.sess.Collection("items")
	var it Item
	if err := items.Find(id).One(&it); err != nil {
		return err
	}
	it.N--
	return items.UpdateReturning(&it) // expect: lostupdate
}

// Columns are some columns of a result.
func (r *Repo) Columns(id int64) error {
	var it Item
	if err := r.sess.Collection("items").Find(id).Select("n").One(&it); err != nil {
		return err
	}
	return set(r.sess, id, it.N-1) // expect: lostupdate
}

// Comparison has conditions that compare.
func (r *Repo) Comparison(id int64) error {
	_, err := r.sess.SQL().Update("items").Set("state", "done").Where(db.Cond{"id": id, "state": db.Eq("new")}).Exec() // expect: rowsaffected
	return err
}

// And has conditions in db.And.
func (r *Repo) And(id int64) error {
	_, err := r.sess.SQL().Update("items").Set("state", "done").Where(db.And(db.Cond{"id": id}, db.Cond{"state": "new"})).Exec() // expect: rowsaffected
	return err
}

// Or is a condition beside others.
func (r *Repo) Or(id int64) error {
	var it Item
	err := r.sess.SQL().SelectFrom("items").Where(db.Cond{"id": id}).And(db.Or(db.Cond{"state": "new"}, db.Cond{"n >": 0})).One(&it)
	if err != nil {
		return err
	}
	return set(r.sess, id, it.N-1) // expect: lostupdate
}

// SetText sets by a text.
func (r *Repo) SetText(id int64) error {
	it := Item{}
	if err := r.sess.SQL().SelectFrom("items").Where("id", id).One(&it); err != nil {
		return err
	}
	_, err := r.sess.SQL().Update("items").Set("n = ?", it.N-1).Where("id", id).Exec() // expect: lostupdate
	return err
}

// Func is a call of a function of PostgreSQL as a value.
func (r *Repo) Func(id int64) error {
	var it Item
	if err := r.sess.SQL().SelectFrom("items").Where("id", id).One(&it); err != nil {
		return err
	}
	_, err := r.sess.SQL().Update("items").Set("n", db.Func("abs", it.N-1)).Where("id", id).Exec() // missed: lostupdate
	return err
}

// Raw sets by a text with arguments.
func (r *Repo) Raw(id int64) error {
	var it Item
	if err := r.sess.SQL().SelectFrom("items").Where("id", id).One(&it); err != nil {
		return err
	}
	return r.sess.Collection("items").Find(id).Update(map[string]any{"n": db.Raw("?::bigint", it.N-1)}) // expect: lostupdate
}

// Join reads two tables.
func (r *Repo) Join(id int64) error {
	var it Item
	err := r.sess.SQL().Select("i.id", "i.n").From("items AS i").Join("tags AS t").On("t.item_id = i.id").Where("t.id", id). // expect: lockoutsidetx
																	Amend(func(q string) string { return q + " FOR UPDATE OF i" }).One(&it)
	if err != nil {
		return err
	}
	return set(r.sess, it.ID, 0)
}

// AmendArgument is an Amend with a text that a caller gives.
func (r *Repo) AmendArgument(lock string, id int64) error {
	var it Item
	err := r.sess.SQL().SelectFrom("items").Where("id", id).Amend(func(q string) string { return q + lock }).One(&it) // missed: lockoutsidetx
	if err != nil {
		return err
	}
	return set(r.sess, it.ID, 0)
}

// TakeAmended gives it.
func (r *Repo) TakeAmended(id int64) error { return r.AmendArgument(" FOR UPDATE", id) }

// Paginate reads a page.
func (r *Repo) Paginate() error {
	var all []Item
	if err := r.sess.SQL().SelectFrom("items").Where("state", "new").Paginate(10).Page(1).All(&all); err != nil {
		return err
	}
	for _, it := range all {
		if err := set(r.sess, it.ID, it.N-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Batch is a batch of an insert, on the pool in a transaction.
func Batch(id int64, tags []string) error {
	return pool.Tx(func(tx db.Session) error {
		if _, err := tx.Collection("items").Insert(Item{ID: id}); err != nil {
			return err
		}
		batch := pool.SQL().InsertInto("tags").Columns("item_id", "name").Batch(5)
		go func() {
			defer batch.Done()
			for _, tag := range tags {
				batch.Values(id, tag)
			}
		}()
		return batch.Wait() // missed: poolintx
	})
}

// Prepare is a statement that is prepared.
func (r *Repo) Prepare(id int64) error {
	stmt, err := r.sess.SQL().Prepare("SELECT n FROM items WHERE id = $1 FOR UPDATE")
	if err != nil {
		return err
	}
	defer stmt.Close()
	var n int64
	if err := stmt.QueryRow(id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return set(r.sess, id, n-1)
}

// Field is a collection that a struct keeps.
type Field struct {
	sess  db.Session
	items db.Collection
}

// NewField opens one.
func NewField(url postgresql.ConnectionURL) (*Field, error) {
	sess, err := postgresql.Open(url)
	if err != nil {
		return nil, err
	}
	return &Field{sess: sess, items: sess.Collection("items")}, nil
}

// Stale writes with it what it has read.
func (f *Field) Stale(id int64) error {
	var it Item
	if err := f.items.Find(id).One(&it); err != nil {
		return err
	}
	it.N--
	return f.items.Find(id).Update(it) // expect: lostupdate
}

// Write writes with it, beside a transaction of the session that another field keeps.
func (f *Field) Write(id int64) error {
	return f.sess.Tx(func(tx db.Session) error {
		if _, err := tx.Collection("tags").Insert(map[string]any{"item_id": id}); err != nil {
			return err
		}
		return f.items.Find(id).Update(map[string]any{"state": "done"}) // missed: poolintx
	})
}

// CollectionSession is the session of a collection.
func CollectionSession(id int64) error {
	items := pool.Collection("items")
	return pool.Tx(func(tx db.Session) error {
		if _, err := tx.Collection("tags").Insert(map[string]any{"item_id": id}); err != nil {
			return err
		}
		_, err := items.Session().SQL().Exec("UPDATE items SET n = 0 WHERE id = ?", id) // expect: poolintx
		return err
	})
}

// NewTx is a transaction of database/sql that upper is given.
func NewTx(ctx context.Context, sqlDB *sql.DB, id int64) error {
	sqlTx, err := sqlDB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	tx, err := postgresql.NewTx(sqlTx)
	if err != nil {
		return err
	}
	if err := set(tx, id, 0); err != nil {
		return errors.Join(err, sqlTx.Rollback())
	}
	if _, err := sqlDB.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id); err != nil { // expect: poolintx
		return errors.Join(err, sqlTx.Rollback())
	}
	return sqlTx.Commit()
}

// Driver is the pool of database/sql below.
func Driver() error {
	_, err := pool.Driver().(*sql.DB).Exec("SET statement_timeout = 0") // expect: sessionset
	return err
}

// Nested is a Tx in a transaction: a second connection.
func Nested(id int64) error {
	return pool.Tx(func(tx db.Session) error {
		if err := set(tx, id, 0); err != nil {
			return err
		}
		return tx.Tx(func(inner db.Session) error { // expect: poolintx
			return set(inner, id+1, 0)
		})
	})
}

// FindKey finds by a key that is not named id.
func (r *Repo) FindKey(code string) error {
	var c struct {
		Code string `db:"code"`
		N    int64  `db:"n"`
	}
	if err := r.sess.Collection("coupons").Find(code).One(&c); err != nil {
		return err
	}
	c.N--
	return r.sess.Collection("coupons").Find(code).Update(c) // missed: lostupdate
}

// Truncate empties a table with the pool's session in a transaction.
func Truncate(id int64) error {
	return pool.Tx(func(tx db.Session) error {
		if _, err := tx.Collection("items").Insert(Item{ID: id}); err != nil {
			return err
		}
		return pool.Collection("tags").Truncate() // expect: poolintx
	})
}
