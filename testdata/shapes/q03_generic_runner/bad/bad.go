package bad

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
)

func InTx[T any](ctx context.Context, db *sql.DB, fn func(tx *sql.Tx) (T, error)) (out T, err error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return out, err
	}
	defer func() {
		switch p := recover(); {
		case p != nil:
			_ = tx.Rollback()
			panic(p)
		case err != nil:
			_ = tx.Rollback()
		default:
			err = tx.Commit()
		}
	}()
	return fn(tx)
}

type quote struct{ cents int64 }

func fetch(ctx context.Context) (quote, error) {
	resp, err := http.Get("https://x")
	if err != nil {
		return quote{}, err
	}
	defer resp.Body.Close()
	var q quote
	return q, json.NewDecoder(resp.Body).Decode(&q)
}

func Buy(ctx context.Context, db *sql.DB, id int64) error {
	_, err := InTx(ctx, db, func(tx *sql.Tx) (int64, error) {
		q, err := fetch(ctx) // expect: externalcall
		if err != nil {
			return 0, err
		}
		var limit int64
		if err := db.QueryRowContext(ctx, `SELECT max FROM limits`).Scan(&limit); err != nil { // expect: poolintx
			return 0, err
		}
		var n int64
		err = tx.QueryRowContext(ctx, `UPDATE a SET b = b - $1 WHERE id = $2 RETURNING b`, q.cents+limit, id).Scan(&n)
		return n, err
	})
	return err
}
