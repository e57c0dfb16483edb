// Package good uses the features of Jet as they are right.
package good

import (
	"context"
	"database/sql"
	"errors"

	. "github.com/go-jet/jet/v2/postgres" //nolint:staticcheck,revive // as Jet's documentation has it
	_ "github.com/lib/pq"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/feat_jet/bad/table"
)

// Items is a row of items, as Jet's generator has it.
type Items struct {
	ID    int64 `sql:"primary_key"`
	N     int64
	State string
}

var errGone = errors.New("gone")

// Store keeps items.
type Store struct{ db *sql.DB }

// Open opens a store.
func Open(dsn string) (*Store, error) {
	db, err := sql.Open("postgres", dsn)
	return &Store{db}, err
}

// Locked reads and writes in a transaction.
func (s *Store) Locked(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var it Items
	stmt := SELECT(table.Items.AllColumns).FROM(table.Items).WHERE(AND(table.Items.ID.EQ(Int(id)), OR(table.Items.State.EQ(String("new")), table.Items.State.IS_NULL()))).FOR(UPDATE())
	if err := stmt.QueryContext(ctx, tx, &it); err != nil {
		return err
	}
	it.N--
	if _, err := table.Items.UPDATE(table.Items.N).MODEL(it).WHERE(table.Items.ID.EQ(Int(id))).ExecContext(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Model writes the columns that were not read.
func (s *Store) Model(ctx context.Context, id int64, state string) error {
	var it Items
	if err := SELECT(table.Items.N).FROM(table.Items).WHERE(table.Items.ID.EQ(Int(id))).QueryContext(ctx, s.db, &it); err != nil {
		return err
	}
	it.State = state
	_, err := table.Items.UPDATE(table.Items.State).MODEL(it).WHERE(table.Items.ID.EQ(Int(id))).ExecContext(ctx, s.db)
	return err
}

// Versioned compares the row with what was read.
func (s *Store) Versioned(ctx context.Context, id int64) error {
	var it Items
	if err := SELECT(table.Items.N).FROM(table.Items).WHERE(table.Items.ID.EQ(Int(id))).QueryContext(ctx, s.db, &it); err != nil {
		return err
	}
	res, err := table.Items.UPDATE(table.Items.N).SET(it.N+1).WHERE(AND(table.Items.ID.EQ(Int(id)), table.Items.N.EQ(Int(it.N)))).ExecContext(ctx, s.db)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errGone)
	}
	return nil
}
