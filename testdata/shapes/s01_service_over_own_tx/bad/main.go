// Command bad takes orders: a service, its repository and its client for
// payments are three packages that only this one puts together.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/s01_service_over_own_tx/bad/order"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/s01_service_over_own_tx/bad/pay"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/s01_service_over_own_tx/bad/store"
)

func main() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	svc := order.NewService(store.New(pool), &pay.Client{URL: os.Getenv("PAY_URL")})
	http.HandleFunc("POST /products/{id}/orders", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err := svc.Place(r.Context(), id, 1); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
