package bad

import (
	"context"
	"database/sql"
	"errors"
)

// Drop deletes a file that nobody refers to, as it was when it was read.
func Drop(ctx context.Context, db *sql.DB, id int64) error {
	var refs int
	if err := db.QueryRowContext(ctx, `SELECT refs FROM files WHERE id = $1`, id).Scan(&refs); err != nil {
		return err
	}
	if refs > 0 {
		return nil
	}
	_, err := db.ExecContext(ctx, `DELETE FROM files WHERE id = $1`, id) // expect: lostupdate
	return err
}

func Discard(ctx context.Context, db *sql.DB, id int64) error {
	var status string
	if err := db.QueryRowContext(ctx, `SELECT status FROM posts WHERE id = $1`, id).Scan(&status); err != nil {
		return err
	}
	if status != "draft" {
		return errors.New("published already")
	}
	_, err := db.ExecContext(ctx, `DELETE FROM posts WHERE id = $1`, id) // expect: lostupdate
	return err
}
