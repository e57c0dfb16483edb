// Command bad makes the service of a pool, which its methods cannot know.
package main

import (
	"log"
	"net/http"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/z09_wired_fields/bad/app"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/z09_wired_fields/bad/store"
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
	log.Fatal(http.ListenAndServe(":8080", nil))
}
