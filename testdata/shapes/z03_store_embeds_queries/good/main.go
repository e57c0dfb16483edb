// Command good puts the service together.
package main

import (
	"context"
	"log"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/z03_store_embeds_queries/good/app"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/z03_store_embeds_queries/good/db"
)

func main() {
	pool, err := pgxpool.New(context.Background(), "postgres://localhost/shop")
	if err != nil {
		log.Fatal(err)
	}
	s := app.New(db.NewStore(pool))
	http.HandleFunc("/restock", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Restock(r.Context(), 1, 2); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
