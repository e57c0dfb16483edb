package bad

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"
)

type Repo struct{ db *sql.DB }

func (r *Repo) PickDue(ctx context.Context) (id int64, err error) {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	sel := sq.Select("id").From("crawl_tasks").
		Where(sq.Eq{"state": "due"}).
		OrderBy("due_at").
		Limit(1).
		Suffix("FOR UPDATE").
		PlaceholderFormat(sq.Dollar)
	if err := sel.RunWith(tx).QueryRowContext(ctx).Scan(&id); err != nil { // expect: skiplocked
		return 0, err
	}
	upd := sq.Update("crawl_tasks").Set("state", "running").Where(sq.Eq{"id": id}).PlaceholderFormat(sq.Dollar)
	if _, err := upd.RunWith(tx).ExecContext(ctx); err != nil {
		return 0, err
	}
	return id, tx.Commit()
}
