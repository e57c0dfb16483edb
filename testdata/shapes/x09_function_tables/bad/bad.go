package bad

import (
	"bytes"
	"context"
	"database/sql"
	"net/http"
)

type step func(ctx context.Context, tx *sql.Tx, id int64) error

var hooks = map[string]func(ctx context.Context, id int64) error{
	"none": func(context.Context, int64) error { return nil },
	"announce": func(ctx context.Context, id int64) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://bus/announce", nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	},
}

func reserve(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, "UPDATE stock SET reserved = reserved + 1 WHERE id = $1", id)
	return err
}

func Run(ctx context.Context, db *sql.DB, name string, id int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := hooks[name](ctx, id); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit()
}

type saga struct {
	db    *sql.DB
	steps []step
	audit func(ctx context.Context, id int64) error
}

func newSaga(db *sql.DB, audit func(context.Context, int64) error) *saga {
	return &saga{db: db, steps: []step{reserve}, audit: audit}
}

func Saga(db *sql.DB) func(context.Context, int64) error {
	s := newSaga(db, func(ctx context.Context, id int64) error {
		_, err := db.ExecContext(ctx, "INSERT INTO audit (stock) VALUES ($1)", id)
		return err
	})
	return s.run
}

func (s *saga) run(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, f := range s.steps {
		if err := f(ctx, tx, id); err != nil {
			return err
		}
	}
	if err := s.audit(ctx, id); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

type Uploader struct {
	db  *sql.DB
	put func(ctx context.Context, name string, data []byte) error
}

func NewUploader(db *sql.DB) *Uploader {
	u := &Uploader{db: db}
	u.put = u.putHTTP
	return u
}

func (u *Uploader) putHTTP(ctx context.Context, name string, data []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://files/"+name, bytes.NewReader(data))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (u *Uploader) Store(ctx context.Context, name string, data []byte) error {
	tx, err := u.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "INSERT INTO files (name) VALUES ($1)", name); err != nil {
		return err
	}
	if err := u.put(ctx, name, data); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit()
}
