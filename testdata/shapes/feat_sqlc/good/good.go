// Package good uses the features of sqlc as they are right.
package good

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

var errGone = errors.New("gone")

// Store keeps items.
type Store struct {
	*pgxdb.Queries
	pool *pgxpool.Pool
	arg  *argdb.Queries
}

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return &Store{pgxdb.New(pool), pool, argdb.New()}, nil
}

func (s *Store) execTx(ctx context.Context, fn func(pgxdb.Querier) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return fn(s.WithTx(tx)) })
}

// Locks of all forms, in a transaction.
func (s *Store) Locks(ctx context.Context, ids []int64) error {
	return s.execTx(ctx, func(q pgxdb.Querier) error {
		it, err := q.LockItem(ctx, ids[0])
		if err != nil {
			return err
		}
		if err := q.SetN(ctx, pgxdb.SetNParams{ID: it.ID, N: it.N - 1}); err != nil {
			return err
		}
		var args []pgxdb.SetEachParams
		q.LockEach(ctx, ids).QueryRow(func(_ int, it pgxdb.Item, e error) {
			args, err = append(args, pgxdb.SetEachParams{ID: it.ID, N: it.N - 1}), errors.Join(err, e)
		})
		if err != nil {
			return err
		}
		if err := q.SetEach(ctx, args).Close(); err != nil {
			return err
		}
		_, err = q.AddTags(ctx, []pgxdb.AddTagsParams{{ItemID: ids[0]}})
		return err
	})
}

// The handle of each call is the transaction.
func (s *Store) Argument(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		it, err := s.arg.LockItem(ctx, tx, id)
		if err != nil {
			return err
		}
		arg := &argdb.SetNParams{ID: id}
		arg.N = it.N - 1
		return s.arg.SetN(ctx, tx, arg)
	})
}

// The optional columns are those of a request.
func (s *Store) Patch(ctx context.Context, id int64, note *string) error {
	it, err := s.GetItem(ctx, id)
	if err != nil {
		return err
	}
	arg := pgxdb.PatchItemParams{ID: it.ID}
	if note != nil {
		arg.Note = pgtype.Text{String: *note, Valid: true}
	}
	return s.PatchItem(ctx, arg)
}

// The value is computed by the database.
func (s *Store) Add(ctx context.Context, id, n int64) error {
	it, err := s.GetItem(ctx, id)
	if err != nil {
		return err
	}
	return s.AddN(ctx, pgxdb.AddNParams{ID: it.ID, N: n})
}

// The row of the other table is written.
func (s *Store) Embed(ctx context.Context, id int64) error {
	row, err := s.GetTagAndItem(ctx, id)
	if err != nil {
		return err
	}
	return s.SetN(ctx, pgxdb.SetNParams{ID: row.Item.ID, N: row.Tag.ID})
}

// Looked at.
func (s *Store) Rows(ctx context.Context, id int64) error {
	n, err := s.FinishRows(ctx, id)
	if err == nil && n == 0 {
		err = errGone
	}
	if err != nil {
		return err
	}
	tag, err := s.FinishResult(ctx, id)
	if err == nil && tag.RowsAffected() == 0 {
		err = errGone
	}
	return err
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

// Take runs prepared statements in a transaction.
func (s *Std) Take(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	q := s.q.WithTx(tx)
	it, err := q.LockItem(ctx, id)
	if err != nil {
		return err
	}
	if err := q.SetN(ctx, stddb.SetNParams{ID: id, N: it.N - 1}); err != nil {
		return err
	}
	return tx.Commit()
}
