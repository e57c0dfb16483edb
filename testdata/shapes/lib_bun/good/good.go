// Package good is what is right in a store on Bun.
package good

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
)

type Task struct {
	bun.BaseModel `bun:"table:tasks"`

	ID     int64 `bun:",pk,autoincrement"`
	OrgID  int64
	Status string
	Owner  *string
	Tries  int
}

type Store struct{ db *bun.DB }

// The model is filled by RETURNING, and looked at.
func (s *Store) Own(ctx context.Context, id int64, who string) (*Task, error) {
	task := new(Task)
	_, err := s.db.NewUpdate().Model(task).Set("owner = ?", who).Where("id = ?", id).Where("owner IS NULL").Returning("*").Exec(ctx)
	if err != nil {
		return nil, err
	}
	if task.ID == 0 {
		return nil, errors.New("taken")
	}
	return task, nil
}

// The tenant of the whole record is written again.
func (s *Store) Put(ctx context.Context, org int64, task *Task) error {
	_, err := s.db.NewUpdate().Model(task).WherePK().Where("org_id = ?", org).Exec(ctx)
	return err
}

type key struct{}

func (s *Store) h(ctx context.Context) bun.IDB {
	if tx, ok := ctx.Value(key{}).(bun.Tx); ok {
		return tx
	}
	return s.db
}

func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return fn(context.WithValue(ctx, key{}, tx)) })
}

func (s *Store) lock(ctx context.Context, id int64) (*Task, error) {
	task := new(Task)
	err := s.h(ctx).NewSelect().Model(task).Where("id = ?", id).For("UPDATE").Scan(ctx)
	return task, err
}

func (s *Store) Try(ctx context.Context, id int64) error {
	return s.InTx(ctx, func(ctx context.Context) error {
		task, err := s.lock(ctx, id)
		if err != nil {
			return err
		}
		task.Tries++
		_, err = s.h(ctx).NewUpdate().Model(task).WherePK().Exec(ctx)
		return err
	})
}

// get and save are used by one that locks before, and by one that does not read.
func get(ctx context.Context, db bun.IDB, id int64) (*Task, error) {
	task := new(Task)
	err := db.NewSelect().Model(task).Where("id = ?", id).For("NO KEY UPDATE").Scan(ctx)
	return task, err
}

func save(ctx context.Context, db bun.IDB, task *Task) error {
	_, err := db.NewUpdate().Model(task).Column("tries").WherePK().Exec(ctx)
	return err
}

func (s *Store) Retry(ctx context.Context, id int64) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		task, err := get(ctx, tx, id)
		if err != nil {
			return err
		}
		task.Tries++
		return save(ctx, tx, task)
	})
}

func (s *Store) Reset(ctx context.Context, id int64) error { return save(ctx, s.db, &Task{ID: id}) }

// ErrNoEntries is a name of our own for an error that says that there is no row.
var ErrNoEntries = sql.ErrNoRows

// That no row was updated ends no transaction.
func (s *Store) Merge(ctx context.Context, from, to int64) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		var ids []int64
		if _, err := tx.NewUpdate().Table("tasks").Set("org_id = ?", to).Where("org_id = ?", from).Returning("id").Exec(ctx, &ids); err != nil && !errors.Is(err, ErrNoEntries) {
			return err
		}
		_, err := tx.NewDelete().Table("orgs").Where("id = ?", from).Exec(ctx)
		return err
	})
}
