package bad

import (
	"context"
	"database/sql"
	"errors"
	"log"
)

type S struct{ db *sql.DB }

// the flag says nothing of the failure.
func (s *S) A(ctx context.Context, id int64, force bool) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	ok := true
	if _, err := tx.ExecContext(ctx, "INSERT INTO t (id) VALUES ($1)", id); err != nil {
		log.Println(err)
		ok = force
	}
	if !ok {
		return errors.New("no")
	}
	if _, err := tx.ExecContext(ctx, "UPDATE u SET n = 0 WHERE id = $1", id); err != nil { // expect: abortedtx
		return err
	}
	return tx.Commit()
}
