package bad

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
)

type API struct{ pool *pgxpool.Pool }

func (a *API) inSerializable(ctx context.Context, f func(pgx.Tx) error) error {
	tx, err := a.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: "serializable"}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func (a *API) Book(w http.ResponseWriter, r *http.Request) {
	err := a.inSerializable(r.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(r.Context(), "INSERT INTO bookings (room, at) SELECT 1, now() WHERE NOT EXISTS (SELECT 1 FROM bookings WHERE room = 1)")
		return err
	})
	var pe *pgconn.PgError
	switch {
	case errors.As(err, &pe) && pe.Code == "23505":
		http.Error(w, "taken", http.StatusConflict)
	case err != nil:
		http.Error(w, err.Error(), 500)
	}
}
