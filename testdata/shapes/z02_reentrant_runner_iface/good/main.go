// Command good puts the service together.
package main

import (
	"log"
	"net/http"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/z02_reentrant_runner_iface/good/app"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/z02_reentrant_runner_iface/good/bank"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/z02_reentrant_runner_iface/good/store"
)

func main() {
	db, err := gorm.Open(postgres.Open("host=localhost"))
	if err != nil {
		log.Fatal(err)
	}
	m := store.New(db)
	s := app.New(m, m, &bank.Client{URL: "http://bank"})
	http.HandleFunc("/charge", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Charge(r.Context(), 1, 500); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
