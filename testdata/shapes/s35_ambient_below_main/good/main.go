// Command good serves a report.
package main

import (
	"context"
	"database/sql"
	"log"
	"net/http"

	_ "github.com/lib/pq"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/s35_ambient_below_main/good/store"
)

func main() {
	db, err := sql.Open("postgres", "")
	if err != nil {
		log.Fatal(err)
	}
	s := store.New(db)
	http.HandleFunc("/refresh", func(w http.ResponseWriter, r *http.Request) {
		err := s.InTx(r.Context(), func(ctx context.Context) error {
			if err := s.Limit(ctx); err != nil {
				return err
			}
			return s.Refresh(ctx)
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
