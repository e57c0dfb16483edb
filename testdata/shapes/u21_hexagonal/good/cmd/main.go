// Command cmd wires the program.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u21_hexagonal/good"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/u21_hexagonal/good/postgres"
)

func main() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	db := postgres.New(pool)
	uc := good.NewUseCase(postgres.NewItems(db), db)
	http.HandleFunc("POST /reserve", func(w http.ResponseWriter, r *http.Request) {
		if err := uc.Reserve(r.Context(), 1, 1); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}
