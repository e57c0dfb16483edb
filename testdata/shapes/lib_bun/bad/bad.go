// Package bad has the faults of a store on Bun, in the many ways that Bun has.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/uptrace/bun"
)

type Task struct {
	bun.BaseModel `bun:"table:tasks"`

	ID     int64 `bun:",pk,autoincrement"`
	Status string
	Owner  *string
	Tries  int
}

type Store struct{ db *bun.DB }

func NewStore(db *bun.DB) *Store { return &Store{db} }

func (s *Store) RawLock(ctx context.Context, id, n int64) error {
	var seats int64
	if err := s.db.NewRaw("SELECT seats FROM ? WHERE id = ? FOR UPDATE", bun.Ident("events"), id).Scan(ctx, &seats); err != nil { // expect: lockoutsidetx
		return err
	}
	_, err := s.db.NewRaw("UPDATE ? SET seats = ? WHERE id = ?", bun.Ident("events"), seats-n, id).Exec(ctx)
	return err
}

func (s *Store) TextLock(ctx context.Context, id, n int64) error {
	var seats int64
	if err := s.db.QueryRowContext(ctx, "SELECT seats FROM events WHERE id = ? FOR NO KEY UPDATE", id).Scan(&seats); err != nil { // expect: lockoutsidetx
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE events SET seats = ? WHERE id = ?", seats-n, id)
	return err
}

func (s *Store) Open(ctx context.Context, status string) error {
	exists, err := s.db.NewSelect().Model((*Task)(nil)).Where("status = ?", status).Exists(ctx)
	if err != nil {
		return err
	}
	if exists {
		return errors.New("there")
	}
	_, err = s.db.NewInsert().Model(&Task{Status: status}).Exec(ctx) // expect: lostupdate
	return err
}

func (s *Store) Begin(ctx context.Context, id int64) error {
	task := &Task{}
	if err := s.db.NewSelect().Model(task).Where("id = ?", id).Limit(1).Scan(ctx); err != nil {
		return err
	}
	if task.Status != "open" {
		return errors.New("not open")
	}
	task.Status = "running"
	_, err := s.db.NewUpdate().Model(task).WherePK().Exec(ctx) // expect: lostupdate
	return err
}

func (s *Store) Own(ctx context.Context, id int64, who string) error {
	_, err := s.db.NewUpdate().Model((*Task)(nil)).Set("owner = ?", who).Where("id = ?", id).Where("owner IS NULL").Exec(ctx) // expect: rowsaffected
	return err
}

func (s *Store) Finish(ctx context.Context, task *Task) error {
	task.Status = "done"
	_, err := s.db.NewUpdate().Model(task).Column("status").WherePK().Where("status = ?", "running").Exec(ctx) // expect: rowsaffected
	return err
}

func (s *Store) find(ctx context.Context, id int64) (*Task, error) {
	task := new(Task)
	return task, s.db.NewSelect().Model(task).Where("id = ?", id).Scan(ctx)
}

func (s *Store) Copy(ctx context.Context, id int64) error {
	return s.db.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewDelete().Model((*Task)(nil)).Where("status = 'done'").Exec(ctx); err != nil {
			return err
		}
		task, err := s.find(ctx, id) // expect: poolintx
		if err != nil {
			return err
		}
		task.ID = 0
		_, err = tx.NewInsert().Model(task).Exec(ctx)
		return err
	})
}

func (s *Store) Call(ctx context.Context, url string) (err error) {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.NewUpdate().Model((*Task)(nil)).Set("tries = tries + 1").Where("status = 'open'").Exec(ctx); err != nil {
		return err
	}
	resp, err := http.Get(url) // expect: externalcall
	if err != nil {
		return err
	}
	resp.Body.Close()
	return tx.Commit()
}

func (s *Store) Conn(ctx context.Context) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SET search_path TO tenant"); err != nil { // expect: sessionset
		return err
	}
	_, err = conn.NewDelete().Model((*Task)(nil)).Where("status = 'done'").Exec(ctx)
	return err
}

func (s *Store) Iso(ctx context.Context) error {
	return s.db.RunInTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead}, func(ctx context.Context, tx bun.Tx) error { // expect: unhandled40001
		_, err := tx.NewUpdate().Model((*Task)(nil)).Set("tries = tries + 1").Where("status = 'open'").Exec(ctx)
		return err
	})
}

func (s *Store) Each(ctx context.Context, tasks []*Task) error {
	failed := 0
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		for _, t := range tasks {
			if _, err := tx.NewInsert().Model(t).Exec(ctx); err != nil { // expect: abortedtx
				failed++
				continue
			}
		}
		return nil
	})
}

func (s *Store) Poll(ctx context.Context) ([]Task, error) {
	var tasks []Task
	err := s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if err := tx.NewSelect().Model(&tasks).Where("status IN (?)", bun.In([]string{"open"})).Order("id").Limit(10).For("UPDATE").Scan(ctx); err != nil { // expect: skiplocked
			return err
		}
		for i := range tasks {
			tasks[i].Status = "running"
			if _, err := tx.NewUpdate().Model(&tasks[i]).Column("status").WherePK().Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return tasks, err
}

type key struct{}

func (s *Store) h(ctx context.Context) bun.IDB {
	if tx, ok := ctx.Value(key{}).(bun.Tx); ok {
		return tx
	}
	return s.db
}

func (s *Store) lock(ctx context.Context, id int64) (*Task, error) {
	task := new(Task)
	err := s.h(ctx).NewSelect().Model(task).Where("id = ?", id).For("UPDATE").Scan(ctx)
	return task, err
}

func (s *Store) Handler(w http.ResponseWriter, r *http.Request) {
	t, err := s.lock(r.Context(), 4) // expect: lockoutsidetx
	if err == nil {
		t.Tries++
		s.h(r.Context()).NewUpdate().Model(t).WherePK().Exec(r.Context())
	}
}
