package good

import (
	"context"
	"database/sql"
	"net/http"
)

type UoW struct{ tx *sql.Tx }

func (u *UoW) Commit() error { return u.tx.Commit() }

func (u *UoW) Rollback() { _ = u.tx.Rollback() }

func (u *UoW) Save(ctx context.Context, id int64) error {
	_, err := u.tx.ExecContext(ctx, `UPDATE a SET b = 1 WHERE id = $1`, id)
	return err
}

type Factory struct{ db *sql.DB }

func (f *Factory) New(ctx context.Context) (*UoW, error) {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	return &UoW{tx: tx}, nil
}

func Run(ctx context.Context, f *Factory, id int64) error {
	u, err := f.New(ctx)
	if err != nil {
		return err
	}
	defer u.Rollback()
	if err := u.Save(ctx, id); err != nil {
		return err
	}
	if err := u.Commit(); err != nil {
		return err
	}
	if _, err := http.Get("https://x"); err != nil {
		return err
	}
	_, err = f.db.ExecContext(ctx, `INSERT INTO audit DEFAULT VALUES`)
	return err
}
