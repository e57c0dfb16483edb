// Command cmd serves bookings.
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

	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/bookings"
	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/bookings/postgres"
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
	service := bookings.NewService(tx, postgres.New(pool), 20)
	http.HandleFunc("POST /bookings", book(service.Book))
	http.HandleFunc("POST /v2/bookings", book(service.BookAgain))
	http.HandleFunc("POST /stays", book(func(ctx context.Context, day int, guest string) error {
		return service.BookStay(ctx, day, day+6, guest)
	}))
	return http.ListenAndServe("localhost:8080", nil)
}

func book(f func(ctx context.Context, day int, guest string) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		day, err := strconv.Atoi(r.FormValue("day"))
		if err != nil {
			http.Error(w, "which day?", http.StatusBadRequest)
			return
		}
		switch err := f(r.Context(), day, r.FormValue("guest")); {
		case errors.Is(err, bookings.ErrFull):
			http.Error(w, err.Error(), http.StatusConflict)
		case err != nil:
			http.Error(w, "internal error", http.StatusInternalServerError)
		}
	}
}
