// Command cmd charges cards.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u60_hexagonal_lock/good"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/u60_hexagonal_lock/good/pg"
)

func main() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	db := pg.New(pool)
	s := good.New(pg.NewCards(db), db)
	http.HandleFunc("POST /charge", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Charge(r.Context(), 1, 100); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}
