// Command bad serves a report.
package main

import (
	"database/sql"
	"log"
	"net/http"

	_ "github.com/lib/pq"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/s35_ambient_below_main/bad/store"
)

func main() {
	db, err := sql.Open("postgres", "")
	if err != nil {
		log.Fatal(err)
	}
	s := store.New(db)
	http.HandleFunc("/refresh", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Limit(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if err := s.Refresh(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
