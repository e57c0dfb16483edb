// Command cmd serves wallets.
package main

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"net/http"
	"os"
	"strconv"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/wallets"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/wallets/postgres"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer db.Close()
	service := wallets.NewService(postgres.NewTransactor(db), postgres.NewWallets(db))
	http.HandleFunc("POST /spend", spend(service.Spend))
	http.HandleFunc("POST /v2/spend", spend(service.SpendInTx))
	return http.ListenAndServe("localhost:8080", nil)
}

func spend(f func(ctx context.Context, id, cents int64) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err1 := strconv.ParseInt(r.FormValue("wallet"), 10, 64)
		cents, err2 := strconv.ParseInt(r.FormValue("cents"), 10, 64)
		if err := errors.Join(err1, err2); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		switch err := f(r.Context(), id, cents); {
		case errors.Is(err, wallets.ErrPoor):
			http.Error(w, err.Error(), http.StatusConflict)
		case err != nil:
			http.Error(w, "internal error", http.StatusInternalServerError)
		}
	}
}
