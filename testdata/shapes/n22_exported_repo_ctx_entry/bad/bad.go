package bad

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"
	"time"
)

type key int

const txKey key = 0

type conn interface {
	ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error)
}

type Repo struct{ db *sql.DB }

func (r *Repo) conn(ctx context.Context) conn {
	if tx, ok := ctx.Value(txKey).(*sql.Tx); ok && tx != nil {
		return tx
	}
	return r.db
}

func (r *Repo) timeout(ctx context.Context, d time.Duration) error {
	_, err := r.conn(ctx).ExecContext(ctx, fmt.Sprintf("SET LOCAL statement_timeout = %d", d.Milliseconds()))
	return err
}

func (r *Repo) purge(ctx context.Context) error {
	_, err := r.conn(ctx).ExecContext(ctx, "DELETE FROM tmp_rows")
	return err
}

func Main() {
	db, err := sql.Open("postgres", os.Getenv("DSN"))
	if err != nil {
		log.Fatal(err)
	}
	r := &Repo{db: db}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.timeout(ctx, 10*time.Second); err != nil { // expect: notxeffect
		log.Fatal(err)
	}
	if err := r.purge(ctx); err != nil {
		log.Fatal(err)
	}
}
