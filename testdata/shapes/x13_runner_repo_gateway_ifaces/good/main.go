package main

import (
	"context"
	"log"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x13_runner_repo_gateway_ifaces/good/app"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x13_runner_repo_gateway_ifaces/good/infra"
)

func main() {
	pool, err := pgxpool.New(context.Background(), "postgres://localhost/bank")
	if err != nil {
		log.Fatal(err)
	}
	db := infra.New(pool)
	s := &app.Service{Tx: db, Accounts: &infra.Accounts{DB: db}, Notifier: &infra.Hook{Client: http.DefaultClient}}
	http.HandleFunc("/close", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Close(r.Context(), 1); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
