package app

import (
	"context"
	"database/sql"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x01_iface_in_other_package/bad/port"
)

type App struct {
	DB *sql.DB
	N  port.Notifier
}

func (a *App) Accept(ctx context.Context, id, user int64) error {
	tx, err := a.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE offers SET accepted = true WHERE id = $1", id); err != nil {
		return err
	}
	if err := a.N.Notify(ctx, user, "accepted"); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit()
}
