package main

import (
	"context"
	"database/sql"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x01_iface_in_other_package/bad/app"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x01_iface_in_other_package/bad/push"
	"log"
	"net/http"
	"os"
)

func main() {
	db, err := sql.Open("pgx", os.Getenv("DSN"))
	if err != nil {
		log.Fatal(err)
	}
	a := &app.App{DB: db, N: &push.Client{Client: http.DefaultClient, Base: "http://push"}}
	if err := a.Accept(context.Background(), 1, 2); err != nil {
		log.Fatal(err)
	}
}
