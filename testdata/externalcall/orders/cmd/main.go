// Command cmd serves orders.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/externalcall/orders"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/orders/payapi"
	"github.com/pgtxvet/pgtxvet/testdata/externalcall/orders/postgres"
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
	payments := payapi.NewClient(os.Getenv("PAYMENTS_URL"), &http.Client{Timeout: 10 * time.Second})
	service := orders.NewService(tx, postgres.NewOrders(pool), payments)
	http.HandleFunc("POST /orders", place(service.Place))
	http.HandleFunc("POST /v2/orders", place(service.PlaceThenCharge))
	return http.ListenAndServe("localhost:8080", nil)
}

func place(f func(ctx context.Context, item string) (int64, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := f(r.Context(), r.FormValue("item"))
		if err != nil {
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, id)
	}
}
