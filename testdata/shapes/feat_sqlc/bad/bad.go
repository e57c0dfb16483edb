// Package bad has one function for each feature of sqlc that docs/libraries.md
// lists.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_sqlc/bad/argdb"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_sqlc/bad/pgxdb"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_sqlc/bad/stddb"
)

var errFew = errors.New("too few")

// Store keeps items.
type Store struct {
	pool *pgxpool.Pool
	q    *pgxdb.Queries
	arg  *argdb.Queries
}

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return &Store{pool, pgxdb.New(pool), argdb.New()}, nil
}

// One is a query of one row.
func (s *Store) One(ctx context.Context, id int64) error {
	it, err := s.q.LockItem(ctx, id) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.q.SetN(ctx, pgxdb.SetNParams{ID: id, N: it.N - 1})
}

// Many is a query of rows.
func (s *Store) Many(ctx context.Context) error {
	its, err := s.q.LockItems(ctx, "new") // expect: lockoutsidetx
	if err != nil {
		return err
	}
	for _, it := range its {
		if err := s.q.SetN(ctx, pgxdb.SetNParams{ID: it.ID, N: it.N - 1}); err != nil {
			return err
		}
	}
	return nil
}

// BatchOne is a batch of queries of one row.
func (s *Store) BatchOne(ctx context.Context, ids []int64) (err error) {
	s.q.LockEach(ctx, ids).QueryRow(func(_ int, it pgxdb.Item, e error) { // expect: lockoutsidetx
		if e == nil {
			e = s.q.SetN(ctx, pgxdb.SetNParams{ID: it.ID, N: it.N - 1})
		}
		err = errors.Join(err, e)
	})
	return err
}

// BatchMany is a batch of queries of rows.
func (s *Store) BatchMany(ctx context.Context, states []string) error {
	var got []pgxdb.Item
	var err error
	s.q.LockStates(ctx, states).Query(func(_ int, its []pgxdb.Item, e error) { // expect: lockoutsidetx
		got, err = append(got, its...), errors.Join(err, e)
	})
	if err != nil {
		return err
	}
	for _, it := range got {
		if err := s.q.SetN(ctx, pgxdb.SetNParams{ID: it.ID, N: 0}); err != nil {
			return err
		}
	}
	return nil
}

// BatchExec is a batch of writes.
func (s *Store) BatchExec(ctx context.Context, ids []int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.q.WithTx(tx).AddItem(ctx, pgxdb.AddItemParams{ID: 1}); err != nil {
			return err
		}
		var args []pgxdb.SetEachParams
		for _, id := range ids {
			args = append(args, pgxdb.SetEachParams{ID: id})
		}
		return s.q.SetEach(ctx, args).Close() // expect: poolintx
	})
}

// BatchStale is a batch of writes of what was read.
func (s *Store) BatchStale(ctx context.Context, ids []int64) error {
	its, err := s.q.ItemsByIDs(ctx, ids)
	if err != nil {
		return err
	}
	var args []pgxdb.SetEachParams
	for _, it := range its {
		args = append(args, pgxdb.SetEachParams{ID: it.ID, N: it.N - 1})
	}
	return s.q.SetEach(ctx, args).Close() // missed: lostupdate
}

// CopyFrom copies rows.
func (s *Store) CopyFrom(ctx context.Context, id int64, names []string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.q.WithTx(tx).AddItem(ctx, pgxdb.AddItemParams{ID: id}); err != nil {
			return err
		}
		var tags []pgxdb.AddTagsParams
		for _, name := range names {
			tags = append(tags, pgxdb.AddTagsParams{ItemID: id, Name: name})
		}
		_, err := s.q.AddTags(ctx, tags) // expect: poolintx
		return err
	})
}

// WithTx gives the queries a transaction.
func (s *Store) WithTx(ctx context.Context, id int64) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	qtx := s.q.WithTx(tx)
	if err := qtx.AddItem(ctx, pgxdb.AddItemParams{ID: id}); err != nil {
		return err
	}
	if _, err := s.q.AddTag(ctx, pgxdb.AddTagParams{ItemID: id}); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit(ctx)
}

// ExecTx makes queries over a transaction, as a helper of one's own.
func (s *Store) ExecTx(ctx context.Context, fn func(*pgxdb.Queries) error) error {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}) // expect: unhandled40001
	if err != nil {
		return err
	}
	if err := fn(pgxdb.New(tx)); err != nil {
		return errors.Join(err, tx.Rollback(ctx))
	}
	return tx.Commit(ctx)
}

// Spend runs in it.
func (s *Store) Spend(ctx context.Context, id int64) error {
	return s.ExecTx(ctx, func(q *pgxdb.Queries) error {
		n, err := q.GetN(ctx, id)
		if err != nil {
			return err
		}
		return q.SetN(ctx, pgxdb.SetNParams{ID: id, N: n - 1})
	})
}

// Embedded is a store in which the queries are embedded.
type Embedded struct {
	*pgxdb.Queries
	pool *pgxpool.Pool
}

// NewEmbedded makes one.
func NewEmbedded(pool *pgxpool.Pool) *Embedded { return &Embedded{pgxdb.New(pool), pool} }

// Take is a method on it.
func (s *Embedded) Take(ctx context.Context, id int64) error {
	if _, err := s.LockItem(ctx, id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.SetN(ctx, pgxdb.SetNParams{ID: id})
}

// Service knows the interface that sqlc made of the queries.
type Service struct{ q pgxdb.Querier }

// NewService makes one over a pool.
func NewService(pool *pgxpool.Pool) *Service { return &Service{pgxdb.New(pool)} }

// Querier runs through the interface.
func (s *Service) Querier(ctx context.Context, id int64) error {
	it, err := s.q.LockItem(ctx, id) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.q.SetN(ctx, pgxdb.SetNParams{ID: id, N: it.N - 1})
}

// Argument gives each method its handle.
func (s *Store) Argument(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.arg.AddItem(ctx, tx, &argdb.AddItemParams{ID: id}); err != nil {
			return err
		}
		_, err := s.arg.AddTag(ctx, s.pool, &argdb.AddTagParams{ItemID: id}) // expect: poolintx
		return err
	})
}

// Row writes what was read into the generated struct.
func (s *Store) Row(ctx context.Context, id, n int64) error {
	it, err := s.q.GetItem(ctx, id)
	if err != nil {
		return err
	}
	if it.N < n {
		return errFew
	}
	return s.q.SetN(ctx, pgxdb.SetNParams{ID: id, N: it.N - n}) // expect: lostupdate
}

// Scalar writes what was read into a variable.
func (s *Store) Scalar(ctx context.Context, id int64) error {
	n, err := s.q.GetN(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.q.SetNReturning(ctx, pgxdb.SetNReturningParams{ID: id, N: n + 1}) // expect: lostupdate
	return err
}

// Slice is a list as an argument.
func (s *Store) Slice(ctx context.Context, ids []int64) error {
	its, err := s.q.ItemsByIDs(ctx, ids)
	if err != nil {
		return err
	}
	for _, it := range its {
		if err := s.q.SetN(ctx, pgxdb.SetNParams{ID: it.ID, N: it.N - 1}); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}

// Narg writes a column that is optional.
func (s *Store) Narg(ctx context.Context, id int64) error {
	it, err := s.q.GetItem(ctx, id)
	if err != nil {
		return err
	}
	return s.q.PatchItem(ctx, pgxdb.PatchItemParams{ID: id, N: pgtype.Int8{Int64: it.N - 1, Valid: true}}) // expect: lostupdate
}

// Embed reads a row of each table of a join.
func (s *Store) Embed(ctx context.Context, id int64) error {
	row, err := s.q.GetTagAndItem(ctx, id)
	if err != nil {
		return err
	}
	return s.q.SetN(ctx, pgxdb.SetNParams{ID: row.Item.ID, N: row.Item.N - 1}) // expect: lostupdate
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int64) error {
	n, err := s.q.CountTags(ctx, id)
	if err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err = s.q.AddTag(ctx, pgxdb.AddTagParams{ItemID: id, Name: "new"}) // expect: lostupdate
	return err
}

// Exists looks for a row.
func (s *Store) Exists(ctx context.Context, id int64, name string) error {
	has, err := s.q.HasTag(ctx, name)
	if err != nil || has {
		return err
	}
	_, err = s.q.AddTag(ctx, pgxdb.AddTagParams{ItemID: id, Name: name}) // expect: lostupdate
	return err
}

// NoRows looks for a row, which there is none of.
func (s *Store) NoRows(ctx context.Context, id int64, name string) error {
	if _, err := s.q.GetTag(ctx, name); !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	_, err := s.q.AddTag(ctx, pgxdb.AddTagParams{ItemID: id, Name: name}) // expect: lostupdate
	return err
}

// Exec says nothing about rows.
func (s *Store) Exec(ctx context.Context, id int64) error {
	return s.q.Finish(ctx, id) // expect: rowsaffected
}

// ExecRows returns how many rows there were.
func (s *Store) ExecRows(ctx context.Context, id int64) error {
	_, err := s.q.FinishRows(ctx, id) // expect: rowsaffected
	return err
}

// ExecResult returns the result.
func (s *Store) ExecResult(ctx context.Context, id int64) error {
	_, err := s.q.FinishResult(ctx, id) // expect: rowsaffected
	return err
}

// Set is a text without rows.
func (s *Store) Set(ctx context.Context) error {
	return s.q.NoTimeout(ctx) // expect: sessionset
}

// SetConfig is a setting in an argument.
func (s *Store) SetConfig(ctx context.Context, tenant string) error {
	return s.q.SetTenant(ctx, tenant) // expect: sessionset
}

// Std keeps items with database/sql and prepared statements.
type Std struct {
	db *sql.DB
	q  *stddb.Queries
}

// NewStd prepares the statements.
func NewStd(ctx context.Context, db *sql.DB) (*Std, error) {
	q, err := stddb.Prepare(ctx, db)
	return &Std{db, q}, err
}

// Prepared runs prepared statements.
func (s *Std) Prepared(ctx context.Context, id int64) error {
	it, err := s.q.LockItem(ctx, id) // missed: lockoutsidetx
	if err != nil {
		return err
	}
	return s.q.SetN(ctx, stddb.SetNParams{ID: id, N: it.N - 1})
}

// PreparedTx runs them in a transaction.
func (s *Std) PreparedTx(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := s.q.WithTx(tx).AddItem(ctx, stddb.AddItemParams{ID: id}); err != nil {
		return err
	}
	if _, err := s.q.AddTag(ctx, stddb.AddTagParams{ItemID: id}); err != nil { // missed: poolintx
		return err
	}
	return tx.Commit()
}

// Pointers are results and arguments of emit_result_struct_pointers and
// emit_params_struct_pointers.
func (s *Store) Pointers(ctx context.Context, id int64) error {
	it, err := s.arg.GetItem(ctx, s.pool, id)
	if err != nil {
		return err
	}
	arg := &argdb.SetNParams{ID: id}
	arg.N = it.N - 1
	return s.arg.SetN(ctx, s.pool, arg) // expect: lostupdate
}
