package good

import (
	"context"
	"database/sql"
	"errors"
	"github.com/jackc/pgx/v5/pgconn"
	"log"
)

type S struct{ db *sql.DB }

func isDup(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && pe.Code == "23505"
}

var ErrExists = errors.New("exists")

// named result and a deferred end.
func (s *S) A(ctx context.Context, n string) (err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	if _, err = tx.ExecContext(ctx, "INSERT INTO t (n) VALUES ($1)", n); err != nil {
		if isDup(err) {
			err = ErrExists
		}
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO u (n) VALUES ($1)", n)
	return err
}

// rolls back, then asks outside.
func (s *S) B(ctx context.Context, n string) (id int64, err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if err := tx.QueryRowContext(ctx, "INSERT INTO t (n) VALUES ($1) RETURNING id", n).Scan(&id); err != nil {
		if !isDup(err) {
			return 0, err
		}
		if err := tx.Rollback(); err != nil {
			return 0, err
		}
		err := s.db.QueryRowContext(ctx, "SELECT id FROM t WHERE n = $1", n).Scan(&id)
		return id, err
	}
	return id, tx.Commit()
}

// two tries with two transactions.
func (s *S) C(ctx context.Context, n string) error {
	var last error
	for i := 0; i < 2; i++ {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO t (n) VALUES ($1)", n); err != nil {
			last = err
			_ = tx.Rollback()
			continue
		}
		return tx.Commit()
	}
	return last
}

// the error of a row that is not there, collected and gone on with.
func (s *S) D(ctx context.Context, ids []int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var missing []int64
	for _, id := range ids {
		var n int
		switch err := tx.QueryRowContext(ctx, "SELECT n FROM t WHERE id = $1 FOR UPDATE", id).Scan(&n); err {
		case nil:
		case sql.ErrNoRows:
			missing = append(missing, id)
			continue
		default:
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE t SET n = $2 WHERE id = $1", id, n*2); err != nil {
			return err
		}
	}
	if len(missing) > 0 {
		log.Println("missing", missing)
	}
	return tx.Commit()
}

// stop at the first failure, remembered in a variable.
func (s *S) E(ctx context.Context, ids []int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, "UPDATE t SET n = 0 WHERE id = $1", id); err != nil {
			failed = err
			break
		}
	}
	if failed != nil {
		return errors.Join(failed, tx.Rollback())
	}
	return tx.Commit()
}

// a flag decides.
func (s *S) F(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	ok := false
	defer func() {
		if !ok {
			_ = tx.Rollback()
		}
	}()
	res, err := tx.ExecContext(ctx, "UPDATE t SET n = 0 WHERE id = $1", id)
	if err != nil {
		log.Println(err)
	} else if n, _ := res.RowsAffected(); n == 1 {
		ok = true
	}
	if !ok {
		return errors.New("nothing done")
	}
	return tx.Commit()
}
