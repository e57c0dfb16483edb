// Command cmd serves wallets.
package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"strconv"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/wallets"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/wallets/postgres"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	tx, err := manager.New(trmpgx.NewDefaultFactory(pool))
	if err != nil {
		return err
	}
	service := wallets.NewService(tx, postgres.New(pool))
	http.HandleFunc("POST /spend", spend(service.Spend))
	http.HandleFunc("POST /v2/spend", spend(service.SpendLocked))
	http.HandleFunc("POST /v3/spend", spend(service.SpendAtOnce))
	return http.ListenAndServe("localhost:8080", nil)
}

func spend(f func(ctx context.Context, id, n int64) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err1 := strconv.ParseInt(r.FormValue("wallet"), 10, 64)
		n, err2 := strconv.ParseInt(r.FormValue("points"), 10, 64)
		if err := errors.Join(err1, err2); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		switch err := f(r.Context(), id, n); {
		case errors.Is(err, wallets.ErrPoor):
			http.Error(w, err.Error(), http.StatusConflict)
		case err != nil:
			http.Error(w, "internal error", http.StatusInternalServerError)
		}
	}
}
