// Command cmd serves badges.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/badges"
	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/badges/postgres"
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
	service := badges.NewService(tx, postgres.New(pool))
	http.HandleFunc("POST /badges", hand(service.Hand))
	http.HandleFunc("POST /v2/badges", hand(service.HandInTx))
	return http.ListenAndServe("localhost:8080", nil)
}

func hand(f func(ctx context.Context, name string) (int, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		number, err := f(r.Context(), r.FormValue("name"))
		if err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, number)
	}
}
