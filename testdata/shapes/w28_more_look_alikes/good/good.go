package good

import (
	"context"
	"database/sql"
	"fmt"
)

type Store struct {
	db         *sql.DB
	skipLocked bool
}

func (s *Store) inTx(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func ids(rows *sql.Rows, err error) (out []int64, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, rows.Err()
}

// Claim skips locked rows where the server can.
func (s *Store) Claim(ctx context.Context) (out []int64, err error) {
	lock := "FOR UPDATE"
	if s.skipLocked {
		lock += " SKIP LOCKED"
	}
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		out, err = ids(tx.QueryContext(ctx, "SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 10 "+lock))
		if err != nil {
			return err
		}
		for _, id := range out {
			if _, err := tx.ExecContext(ctx, "UPDATE jobs SET state = 'busy' WHERE id = $1", id); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// Parent locks the one project row that says whether jobs may start.
func (s *Store) Parent(ctx context.Context, project int64) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		var running int
		if err := tx.QueryRowContext(ctx, "SELECT running_jobs FROM projects WHERE id = $1 FOR UPDATE", project).Scan(&running); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE projects SET running_jobs = $2 WHERE id = $1", project, running+1)
		return err
	})
}

// StepOf takes the next step of one job, whose steps run one after another.
func (s *Store) StepOf(ctx context.Context, job int64) (step int64, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, "SELECT id FROM job_steps WHERE job_id = $1 AND state = 'waiting' ORDER BY position LIMIT 1 FOR UPDATE", job).Scan(&step); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE job_steps SET state = 'running' WHERE id = $1", step)
		return err
	})
	return step, err
}

// Watermark is one row.
func (s *Store) Watermark(ctx context.Context, to int64) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		var at int64
		if err := tx.QueryRowContext(ctx, "SELECT position FROM relay_position LIMIT 1 FOR UPDATE").Scan(&at); err != nil {
			return err
		}
		if at >= to {
			return nil
		}
		_, err := tx.ExecContext(ctx, "UPDATE relay_position SET position = $1", to)
		return err
	})
}

// Backfill fills a column, a batch at a time, in one process.
func (s *Store) Backfill(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE jobs SET slug = lower(title)
		WHERE id IN (SELECT id FROM jobs WHERE slug IS NULL ORDER BY id LIMIT 1000 FOR UPDATE)`)
	return err
}

// LockInOrder locks rows that the caller names.
func (s *Store) LockInOrder(ctx context.Context, list string) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		q := fmt.Sprintf("SELECT id FROM jobs WHERE state = 'new' AND id IN (%s) ORDER BY id FOR UPDATE", list)
		got, err := ids(tx.QueryContext(ctx, q))
		if err != nil || len(got) == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("UPDATE jobs SET state = 'held' WHERE id IN (%s)", list))
		return err
	})
}

// Recheck takes each row again under its lock.
func (s *Store) Recheck(ctx context.Context) error {
	list, err := ids(s.db.QueryContext(ctx, "SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 10"))
	if err != nil {
		return err
	}
	for _, id := range list {
		err := s.inTx(ctx, func(tx *sql.Tx) error {
			var state string
			if err := tx.QueryRowContext(ctx, "SELECT state FROM jobs WHERE id = $1 FOR UPDATE", id).Scan(&state); err != nil {
				return err
			}
			if state != "new" {
				return nil
			}
			_, err := tx.ExecContext(ctx, "UPDATE jobs SET state = 'busy' WHERE id = $1", id)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Touch marks rows that have nothing to do with what was listed.
func (s *Store) Touch(ctx context.Context, id int64) ([]int64, error) {
	list, err := ids(s.db.QueryContext(ctx, "SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 10"))
	if err != nil {
		return nil, err
	}
	_, err = s.db.ExecContext(ctx, "UPDATE jobs SET state = 'seen' WHERE id = $1", id)
	return list, err
}
