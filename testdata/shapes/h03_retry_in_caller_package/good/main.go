package main

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/h03_retry_in_caller_package/good/store"
	"log"
)

type closer interface {
	Close(ctx context.Context, id int64) error
}

func closeDay(ctx context.Context, c closer, id int64) error {
	for i := 0; ; i++ {
		err := c.Close(ctx, id)
		var pe *pgconn.PgError
		if err == nil || i > 3 || !errors.As(err, &pe) || pe.Code != "40001" {
			return err
		}
	}
}

func main() {
	pool, err := pgxpool.New(context.Background(), "")
	if err != nil {
		log.Fatal(err)
	}
	if err := closeDay(context.Background(), &store.Store{Pool: pool}, 1); err != nil {
		log.Fatal(err)
	}
}
