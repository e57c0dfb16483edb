// Command cmd serves members.
package main

import (
	"log"
	"net/http"
	"os"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u52_two_interfaces/good"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/u52_two_interfaces/good/postgres"
)

func main() {
	db := sqlx.MustConnect("pgx", os.Getenv("DATABASE_URL"))
	h := good.NewHandler(good.NewService(postgres.New(db)))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /members", h.Register)
	mux.HandleFunc("POST /rewards", h.Reward)
	log.Fatal(http.ListenAndServe("localhost:8080", mux))
}
