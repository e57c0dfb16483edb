// Package app puts the program together.
package app

import (
	"context"
	"database/sql"

	_ "github.com/lib/pq" // the driver

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x17_main_calls_app/bad/shelf"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x17_main_calls_app/bad/store"
)

func Run() error {
	db, err := sql.Open("postgres", "")
	if err != nil {
		return err
	}
	return shelf.New(store.New(db)).Take(context.Background(), 1, 2)
}
