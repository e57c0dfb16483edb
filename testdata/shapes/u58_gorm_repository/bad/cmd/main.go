// Command cmd sells.
package main

import (
	"log"
	"net/http"
	"os"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u58_gorm_repository/bad"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/u58_gorm_repository/bad/store"
)

func main() {
	db, err := gorm.Open(postgres.Open(os.Getenv("DATABASE_URL")), &gorm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	shop := bad.NewShop(store.New(db))
	http.HandleFunc("POST /sell", func(w http.ResponseWriter, r *http.Request) {
		if err := shop.Sell(r.Context(), 1, 1); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	http.HandleFunc("POST /restock", func(w http.ResponseWriter, r *http.Request) {
		if err := shop.Restock(r.Context(), 1, 1); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}
