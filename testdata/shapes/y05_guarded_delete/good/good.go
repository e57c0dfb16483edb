package good

import (
	"context"
	"database/sql"
	"errors"
)

// Drop says the test again.
func Drop(ctx context.Context, db *sql.DB, id int64) error {
	var refs int
	if err := db.QueryRowContext(ctx, `SELECT refs FROM files WHERE id = $1`, id).Scan(&refs); err != nil {
		return err
	}
	if refs > 0 {
		return nil
	}
	_, err := db.ExecContext(ctx, `DELETE FROM files WHERE id = $1 AND refs = 0`, id)
	return err
}

// Discard locks the row.
func Discard(ctx context.Context, db *sql.DB, id int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var status string
	if err := tx.QueryRowContext(ctx, `SELECT status FROM posts WHERE id = $1 FOR UPDATE`, id).Scan(&status); err != nil {
		return err
	}
	if status != "draft" {
		return errors.New("published already")
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM posts WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}

// Own looks at whose it is, which does not change.
func Own(ctx context.Context, db *sql.DB, id, user int64) error {
	var author int64
	if err := db.QueryRowContext(ctx, `SELECT author_id FROM posts WHERE id = $1`, id).Scan(&author); err != nil {
		return err
	}
	if author != user {
		return errors.New("not yours")
	}
	_, err := db.ExecContext(ctx, `DELETE FROM posts WHERE id = $1`, id)
	return err
}

// Clear deletes what has come to its end and stays there.
func Clear(ctx context.Context, db *sql.DB, id int64) error {
	var status string
	if err := db.QueryRowContext(ctx, `SELECT status FROM jobs WHERE id = $1`, id).Scan(&status); err != nil {
		return err
	}
	if status != "done" {
		return errors.New("still at work")
	}
	_, err := db.ExecContext(ctx, `DELETE FROM jobs WHERE id = $1`, id)
	return err
}

// Builtin spares what comes with the program.
func Builtin(ctx context.Context, db *sql.DB, id int64) error {
	var kind string
	if err := db.QueryRowContext(ctx, `SELECT kind FROM roles WHERE id = $1`, id).Scan(&kind); err != nil {
		return err
	}
	if kind == "builtin" {
		return errors.New("comes with the program")
	}
	_, err := db.ExecContext(ctx, `DELETE FROM roles WHERE id = $1`, id)
	return err
}
