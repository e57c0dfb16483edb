// Command cmd serves the shop.
package main

import (
	"context"
	"database/sql"
	"log"
	"net/http"
	"strconv"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver

	"github.com/pgtxvet/pgtxvet/testdata/libraries/transactorshop"
)

func main() {
	db, err := sql.Open("pgx", "")
	if err != nil {
		log.Fatal(err)
	}
	s := transactorshop.New(db)
	count := func(do func(ctx context.Context, id, n int) error) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			id, _ := strconv.Atoi(r.FormValue("id"))
			n, _ := strconv.Atoi(r.FormValue("n"))
			if err := do(r.Context(), id, n); err != nil {
				http.Error(w, err.Error(), http.StatusConflict)
			}
		}
	}
	http.HandleFunc("/buy", count(s.Buy))
	http.HandleFunc("/sell", count(s.Sell))
	http.HandleFunc("/book", count(s.Book))
	http.HandleFunc("/rename", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Rename(r.Context(), 1, r.FormValue("title")); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	http.HandleFunc("/clear", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Clear(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
