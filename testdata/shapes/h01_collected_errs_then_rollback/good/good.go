package good

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"net/http"
)

type S struct{ db *sql.DB }

func (s *S) A(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	var errs []error
	if _, err := tx.ExecContext(ctx, "UPDATE t SET n = 0 WHERE id = $1", id); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		_ = tx.Rollback()
		return errors.Join(errs...)
	}
	return tx.Commit()
}

type result struct {
	err  error
	rows int64
}

func (s *S) exec(ctx context.Context, tx *sql.Tx, id int64) (r result) {
	res, err := tx.ExecContext(ctx, "UPDATE t SET n = 0 WHERE id = $1", id)
	if err != nil {
		r.err = err
		return r
	}
	r.rows, r.err = res.RowsAffected()
	return r
}

func (s *S) B(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	r := s.exec(ctx, tx, id)
	if r.err != nil {
		return r.err
	}
	return tx.Commit()
}

type unit struct {
	tx  *sql.Tx
	err error
}

func (u *unit) do(ctx context.Context, q string, args ...any) {
	if u.err != nil {
		return
	}
	if _, err := u.tx.ExecContext(ctx, q, args...); err != nil {
		u.err = err
	}
}

func (u *unit) end() error {
	if u.err != nil {
		_ = u.tx.Rollback()
		return u.err
	}
	return u.tx.Commit()
}

func (s *S) C(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	u := &unit{tx: tx}
	u.do(ctx, "UPDATE t SET n = 0 WHERE id = $1", id)
	u.do(ctx, "UPDATE u SET n = 0 WHERE id = $1", id)
	return u.end()
}

// status is what the caller gets instead of an error.
func (s *S) D(ctx context.Context, tx *sql.Tx, id int64) (status int) {
	if _, err := tx.ExecContext(ctx, "UPDATE t SET n = 0 WHERE id = $1", id); err != nil {
		log.Println(err)
		return 500
	}
	return 200
}

func (s *S) E(w http.ResponseWriter, r *http.Request) {
	tx, err := s.db.BeginTx(r.Context(), nil)
	if err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	defer tx.Rollback()
	if st := s.D(r.Context(), tx, 1); st != 200 {
		w.WriteHeader(st)
		return
	}
	if err := tx.Commit(); err != nil {
		http.Error(w, err.Error(), 500)
	}
}
