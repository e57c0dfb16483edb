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
	var done []int64
	err := pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		for id, err := range open(ctx, tx) {
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "UPDATE tickets SET state = 'done' WHERE id = $1", id); err != nil {
				return err
			}
			done = append(done, id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for range slices.Values(done) {
		if err := d.ping(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Each begins a transaction for each ticket, and calls when it is over.
func (d *Desk) Each(ctx context.Context, ids []int64) error {
	for id := range slices.Values(ids) {
		tx, err := d.pool.Begin(ctx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "SELECT FROM tickets WHERE id = $1 FOR UPDATE", id); err != nil {
			_ = tx.Rollback(ctx)
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE tickets SET seen = true WHERE id = $1", id); err != nil {
			_ = tx.Rollback(ctx)
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return err
		}
		if err := d.ping(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Mark ends at a failure, by a return, or by a break that is looked at.
func (d *Desk) Mark(ctx context.Context, ids []int64) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		var failed error
		for id := range slices.Values(ids) {
			if id == 0 {
				continue
			}
			if _, err := tx.Exec(ctx, "UPDATE tickets SET seen = true WHERE id = $1", id); err != nil {
				log.Println(id, err)
				failed = err
				break
			}
			if _, err := tx.Exec(ctx, "INSERT INTO marks VALUES ($1)", id); err != nil {
				log.Println(id, err)
				return err
			}
		}
		return failed
	})
}

// Each of the savepoints may fail.
func (d *Desk) Try(ctx context.Context, ids []int64) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		for id := range slices.Values(ids) {
			err := pgx.BeginFunc(ctx, tx, func(sp pgx.Tx) error {
				_, err := sp.Exec(ctx, "UPDATE tickets SET seen = true WHERE id = $1", id)
				return err
			})
			if err != nil {
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
