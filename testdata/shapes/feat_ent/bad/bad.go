// Package bad has one function for each feature of ent that docs/libraries.md
// lists.
package bad

import (
	"context"
	stdsql "database/sql"
	"errors"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	_ "github.com/lib/pq"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_ent/bad/db"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_ent/bad/db/item"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_ent/bad/db/predicate"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_ent/bad/db/tag"
)

var errFew = errors.New("too few")

// Store keeps items.
type Store struct{ client *db.Client }

// Open opens a store.
func Open(dsn string) (*Store, error) {
	client, err := db.Open(dialect.Postgres, dsn)
	return &Store{client}, err
}

func (s *Store) take(ctx context.Context, id int) error {
	return s.client.Item.UpdateOneID(id).SetN(0).Exec(ctx)
}

// ForUpdate locks rows.
func (s *Store) ForUpdate(ctx context.Context, id int) error {
	it, err := s.client.Item.Query().Where(item.ID(id)).ForUpdate(sql.WithLockAction(sql.NoWait)).Only(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, it.ID)
}

// ForShare locks rows.
func (s *Store) ForShare(ctx context.Context, id int) error {
	it, err := s.client.Item.Query().Where(item.IDEQ(id)).ForShare().First(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, it.ID)
}

// LockTables locks the rows of one table.
func (s *Store) LockTables(ctx context.Context, id int) error {
	it, err := s.client.Item.Query().Where(item.ID(id), item.HasTags()).ForUpdate(sql.WithLockTables(item.Table)).Only(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, it.ID)
}

// Modify adds a lock by the builder below.
func (s *Store) Modify(ctx context.Context, id int) error {
	var got []struct{ N int }
	err := s.client.Item.Query().Where(item.ID(id)).Modify(func(sel *sql.Selector) { sel.ForUpdate() }).Scan(ctx, &got) // missed: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// Predicate is a condition of the builder below.
func (s *Store) Predicate(ctx context.Context) error {
	id, err := s.client.Item.Query().Where(func(sel *sql.Selector) { sel.Where(sql.GT(sel.C(item.FieldN), 0)) }).ForUpdate().FirstID(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// With reads related rows, and locks the first ones.
func (s *Store) With(ctx context.Context, id int) error {
	it, err := s.client.Item.Query().Where(item.ID(id)).WithTags().ForUpdate().Only(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, it.ID)
}

// WithRows writes back a row that was read with another.
func (s *Store) WithRows(ctx context.Context, id int) error {
	it, err := s.client.Item.Query().Where(item.ID(id)).WithTags().Only(ctx)
	if err != nil {
		return err
	}
	t := it.Edges.Tags[0]
	return t.Update().SetName(t.Name + "!").Exec(ctx) // missed: lostupdate
}

// QueryEdge reads the rows of an edge.
func (s *Store) QueryEdge(ctx context.Context, it *db.Item) error {
	ts, err := it.QueryTags().All(ctx)
	if err != nil {
		return err
	}
	for _, t := range ts {
		if err := s.client.Tag.UpdateOneID(t.ID).SetName(t.Name + "!").Exec(ctx); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Or is a condition beside others.
func (s *Store) Or(ctx context.Context, id int) error {
	it, err := s.client.Item.Query().Where(item.ID(id), item.Or(item.State("new"), item.State("old"))).Only(ctx)
	if err != nil {
		return err
	}
	return s.client.Item.UpdateOneID(id).SetN(it.N - 1).Exec(ctx) // expect: lostupdate
}

// And has conditions in a list.
func (s *Store) And(ctx context.Context, id int) error {
	return s.client.Item.Update().Where(item.And(item.ID(id), item.State("new"))).SetState("done").Exec(ctx) // expect: rowsaffected
}

// Not is the opposite of a condition.
func (s *Store) Not(ctx context.Context, id int) error {
	it, err := s.client.Item.Query().Where(item.ID(id), item.Not(item.State("old"))).ForUpdate().Only(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, it.ID)
}

// Get reads one row.
func (s *Store) Get(ctx context.Context, id int) error {
	it, err := s.client.Item.Get(ctx, id)
	if err != nil {
		return err
	}
	return s.client.Item.UpdateOneID(id).SetN(it.N - 1).Exec(ctx) // expect: lostupdate
}

// Update is the update of a row that was read.
func (s *Store) Update(ctx context.Context, id int) error {
	it, err := s.client.Item.Get(ctx, id)
	if err != nil {
		return err
	}
	_, err = it.Update().SetN(it.N - 1).Save(ctx) // expect: lostupdate
	return err
}

// UpdateOne is given it.
func (s *Store) UpdateOne(ctx context.Context, id int) error {
	it := s.client.Item.GetX(ctx, id)
	return s.client.Item.UpdateOne(it).SetN(it.N - 1).Exec(ctx) // expect: lostupdate
}

// All reads rows.
func (s *Store) All(ctx context.Context) error {
	its, err := s.client.Item.Query().Where(item.StateEQ("new")).All(ctx)
	if err != nil {
		return err
	}
	for _, it := range its {
		if err := it.Update().SetN(it.N - 1).Exec(ctx); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Select reads one column.
func (s *Store) Select(ctx context.Context, id int) error {
	n, err := s.client.Item.Query().Where(item.ID(id)).Select(item.FieldN).Int(ctx)
	if err != nil {
		return err
	}
	return s.client.Item.UpdateOneID(id).SetN(n - 1).Exec(ctx) // missed: lostupdate
}

// SelectScan reads columns into a struct of one's own.
func (s *Store) SelectScan(ctx context.Context, id int) error {
	var got []struct {
		N int `json:"n"`
	}
	if err := s.client.Item.Query().Where(item.ID(id)).Select(item.FieldN).Scan(ctx, &got); err != nil {
		return err
	}
	return s.client.Item.UpdateOneID(id).SetN(got[0].N - 1).Exec(ctx) // expect: lostupdate
}

// Optional is a column that may be NULL.
func (s *Store) Optional(ctx context.Context, id int) error {
	it, err := s.client.Item.Get(ctx, id)
	if err != nil {
		return err
	}
	note := *it.Note + "!"
	return it.Update().SetNillableNote(&note).Exec(ctx) // expect: lostupdate
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int) error {
	n, err := s.client.Tag.Query().Where(tag.ItemID(id)).Count(ctx)
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	return s.client.Tag.Create().SetItemID(id).SetName("new").Exec(ctx) // expect: lostupdate
}

// Exist looks for a row.
func (s *Store) Exist(ctx context.Context, name string) error {
	has, err := s.client.Tag.Query().Where(tag.Name(name)).Exist(ctx)
	if err != nil || has {
		return err
	}
	_, err = s.client.Tag.Create().SetName(name).Save(ctx) // expect: lostupdate
	return err
}

// NotFound looks for a row, which there is none of.
func (s *Store) NotFound(ctx context.Context, name string) error {
	if _, err := s.client.Tag.Query().Where(tag.Name(name)).Only(ctx); !db.IsNotFound(err) {
		return err
	}
	return s.client.Tag.Create().SetName(name).Exec(ctx) // expect: lostupdate
}

// CreateBulk creates rows.
func (s *Store) CreateBulk(ctx context.Context, id int) error {
	tx, err := s.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Item.UpdateOneID(id).SetN(1).Exec(ctx); err != nil {
		return err
	}
	if err := s.client.Tag.CreateBulk(s.client.Tag.Create().SetName("a"), s.client.Tag.Create().SetName("b")).Exec(ctx); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// Updates changes the rows of a condition.
func (s *Store) Updates(ctx context.Context, id int) error {
	_, err := s.client.Item.Update().Where(item.ID(id), item.State("new")).SetState("done").Save(ctx) // expect: rowsaffected
	return err
}

// UpdateOneWhere changes one row under a condition, and says itself if there is none.
func (s *Store) UpdateOneWhere(ctx context.Context, it *db.Item) error {
	tx, err := s.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Tag.Create().SetName("a").Exec(ctx); err != nil {
		return err
	}
	if err := s.client.Item.UpdateOne(it).Where(item.State("new")).SetState("done").Exec(ctx); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// Delete deletes the rows of a condition.
func (s *Store) Delete(ctx context.Context, id int) error {
	_, err := s.client.Item.Delete().Where(item.ID(id), item.State("new")).Exec(ctx) // expect: rowsaffected
	return err
}

// Tx begins a transaction, in which the client is another session.
func (s *Store) Tx(ctx context.Context, id int) error {
	tx, err := s.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	it, err := tx.Item.Query().Where(item.ID(id)).ForUpdate().Only(ctx)
	if err != nil {
		return err
	}
	if err := s.client.Tag.Create().SetItem(it).Exec(ctx); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// WithTx is the helper that ent's documentation shows.
func WithTx(ctx context.Context, client *db.Client, fn func(tx *db.Tx) error) error {
	tx, err := client.Tx(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if v := recover(); v != nil {
			_ = tx.Rollback()
			panic(v)
		}
	}()
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// TxHelper runs in it.
func (s *Store) TxHelper(ctx context.Context, id int) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		if err := tx.Item.UpdateOneID(id).SetN(1).Exec(ctx); err != nil {
			return err
		}
		return s.client.Tag.Create().SetItemID(id).Exec(ctx) // expect: poolintx
	})
}

func note(ctx context.Context, client *db.Client, id int) error {
	return client.Tag.Create().SetItemID(id).SetName("note").Exec(ctx)
}

// TxClient is a client over the transaction.
func (s *Store) TxClient(ctx context.Context, id int) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		if err := note(ctx, tx.Client(), id); err != nil {
			return err
		}
		return note(ctx, s.client, id) // expect: poolintx
	})
}

// Context carries the transaction.
func (s *Store) Context(ctx context.Context, id int) error {
	tx, err := s.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	ctx = db.NewTxContext(ctx, tx)
	if err := db.TxFromContext(ctx).Item.UpdateOneID(id).SetN(1).Exec(ctx); err != nil {
		return err
	}
	if err := db.FromContext(db.NewContext(ctx, s.client)).Tag.Create().SetItemID(id).Exec(ctx); err != nil { // missed: poolintx
		return err
	}
	return tx.Commit()
}

// BeginTx has options.
func (s *Store) BeginTx(ctx context.Context, id int) error {
	tx, err := s.client.BeginTx(ctx, &stdsql.TxOptions{Isolation: stdsql.LevelSerializable}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback()
	it, err := tx.Item.Get(ctx, id)
	if err != nil {
		return err
	}
	if err := tx.Item.UpdateOne(it).SetN(it.N - 1).Exec(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

// ExecContext runs a text.
func (s *Store) ExecContext(ctx context.Context) error {
	_, err := s.client.ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Debug is the same client.
func (s *Store) Debug(ctx context.Context) error {
	_, err := s.client.Debug().ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Predicates are conditions in a slice.
func (s *Store) Predicates(ctx context.Context, id int, states []string) error {
	ps := []predicate.Item{item.ID(id)}
	if len(states) > 0 {
		ps = append(ps, item.StateIn(states...))
	}
	it, err := s.client.Item.Query().Where(ps...).ForUpdate().Only(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, it.ID)
}

// Hook changes what is written, or refuses it, in the transaction of the write.
func (s *Store) Hook() {
	s.client.Item.Use(func(next db.Mutator) db.Mutator {
		return mutate(func(ctx context.Context, m db.Mutation) (db.Value, error) {
			im := m.(*db.ItemMutation)
			id, _ := im.ID()
			old, err := im.Client().Item.Get(ctx, id)
			if err != nil {
				return nil, err
			}
			im.SetN(old.N + 1) // missed: lostupdate
			return next.Mutate(ctx, m)
		})
	})
}

type mutate func(context.Context, db.Mutation) (db.Value, error)

func (f mutate) Mutate(ctx context.Context, m db.Mutation) (db.Value, error) { return f(ctx, m) }

// Upsert writes the row that is there.
func (s *Store) Upsert(ctx context.Context, id int) error {
	it, err := s.client.Item.Get(ctx, id)
	if err != nil {
		return err
	}
	return s.client.Item.Create().SetN(it.N - 1).OnConflictColumns(item.FieldID).UpdateNewValues().Exec(ctx) // missed: lostupdate
}
