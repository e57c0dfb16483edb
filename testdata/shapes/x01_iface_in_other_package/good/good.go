package good

import (
	"context"
	"database/sql"
	"net/http"
	"strings"
)

type Notifier interface {
	Notify(ctx context.Context, user int64, text string) error
}

// outbox keeps messages in the same database.
type outbox struct{}

func (outbox) put(ctx context.Context, tx *sql.Tx, user int64, text string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO outbox (usr, body) VALUES ($1, $2)", user, text)
	return err
}

type App struct {
	DB  *sql.DB
	N   Notifier
	box outbox
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
	if err := a.box.put(ctx, tx, user, "accepted"); err != nil {
		return err
	}
	return tx.Commit()
}

type push struct{ *http.Client }

func (p push) Notify(ctx context.Context, user int64, text string) error {
	resp, err := p.Post("http://push", "text/plain", strings.NewReader(text))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func New(db *sql.DB) *App { return &App{DB: db, N: push{http.DefaultClient}} }

func (a *App) Flush(ctx context.Context, user int64) error { return a.N.Notify(ctx, user, "x") }
