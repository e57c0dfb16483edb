// Package desk drains tickets in loops over iterators.
package desk

import (
	"context"
	"iter"
	"log"
	"net/http"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Desk struct {
	pool   *pgxpool.Pool
	client *http.Client
}

func open(ctx context.Context, tx pgx.Tx) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		rows, err := tx.Query(ctx, "SELECT id FROM tickets WHERE state = 'open' FOR UPDATE")
		if err != nil {
			yield(0, err)
			return
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		for _, id := range ids {
			if !yield(id, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

func (d *Desk) Drain(ctx context.Context) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		for id, err := range open(ctx, tx) {
			if err != nil {
				return err
			}
			if _, err := d.pool.Exec(ctx, "UPDATE tickets SET state = 'done' WHERE id = $1", id); err != nil { // expect: poolintx
				return err
			}
			if err := d.ping(ctx); err != nil { // expect: externalcall
				return err
			}
		}
		return nil
	})
}

func (d *Desk) Lock(ctx context.Context, ids []int64) error {
	for id := range slices.Values(ids) {
		if _, err := d.pool.Exec(ctx, "SELECT FROM tickets WHERE id = $1 FOR UPDATE", id); err != nil { // expect: lockoutsidetx
			return err
		}
		if _, err := d.pool.Exec(ctx, "UPDATE tickets SET seen = true WHERE id = $1", id); err != nil {
			return err
		}
	}
	return nil
}

// Mark goes on after a failure.
func (d *Desk) Mark(ctx context.Context, ids []int64) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		for id := range slices.Values(ids) {
			if _, err := tx.Exec(ctx, "UPDATE tickets SET seen = true WHERE id = $1", id); err != nil { // expect: abortedtx
				log.Println(id, err)
			}
		}
		return nil
	})
}

func (d *Desk) ping(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://desk", nil)
	if err != nil {
		return err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
