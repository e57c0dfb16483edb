package good

import (
	"context"
	"database/sql"
	"errors"
)

type Spool struct {
	claim *sql.Stmt
	done  *sql.Stmt
}

func Open(ctx context.Context, db *sql.DB) (*Spool, error) {
	claim, err := db.PrepareContext(ctx, `
		UPDATE print_jobs SET status = 'printing', printer = $1
		FROM (SELECT id FROM print_jobs WHERE status = 'spooled' ORDER BY submitted_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS head
		WHERE print_jobs.id = head.id
		RETURNING print_jobs.id`)
	if err != nil {
		return nil, err
	}
	done, err := db.PrepareContext(ctx, `UPDATE print_jobs SET status = 'printed' WHERE id = $1`)
	return &Spool{claim: claim, done: done}, err
}

func (s *Spool) Claim(ctx context.Context, printer string) (id int64, err error) {
	err = s.claim.QueryRowContext(ctx, printer).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

func (s *Spool) Done(ctx context.Context, id int64) error {
	_, err := s.done.ExecContext(ctx, id)
	return err
}
