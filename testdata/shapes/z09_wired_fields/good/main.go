// Command good makes the service of a pool, and another one of a transaction.
package main

import (
	"log"
	"net/http"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/z09_wired_fields/good/app"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/z09_wired_fields/good/store"
)

func main() {
	db, err := gorm.Open(postgres.Open("host=localhost"))
	if err != nil {
		log.Fatal(err)
	}
	s := app.New(db, store.New(db))
	http.HandleFunc("/pay", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Pay(r.Context(), 1); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	http.HandleFunc("/sum", func(w http.ResponseWriter, r *http.Request) {
		err := db.WithContext(r.Context()).Transaction(func(tx *gorm.DB) error {
			_, err := app.New(tx, store.New(tx)).Sum(r.Context())
			return err
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
