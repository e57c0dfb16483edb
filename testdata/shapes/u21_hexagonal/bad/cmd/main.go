// Command cmd wires the program.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u21_hexagonal/bad"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/u21_hexagonal/bad/postgres"
)

func main() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	db := postgres.New(pool)
	uc := bad.NewUseCase(postgres.NewItems(db), db)
	http.HandleFunc("POST /reserve", func(w http.ResponseWriter, r *http.Request) {
		if err := uc.Reserve(r.Context(), 1, 1); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	http.HandleFunc("POST /return", func(w http.ResponseWriter, r *http.Request) {
		if err := uc.Return(r.Context(), 1, 1); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}
