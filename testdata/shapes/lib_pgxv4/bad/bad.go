// Package bad has the faults of a shop on pgx v4.
package bad

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

var ErrSoldOut = errors.New("sold out")

type Shop struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *Shop { return &Shop{pool: pool} }

func (s *Shop) Buy(ctx context.Context, id, n int) error {
	var seats int
	if err := s.pool.QueryRow(ctx, "SELECT seats FROM events WHERE id = $1 FOR UPDATE", id).Scan(&seats); err != nil { // expect: lockoutsidetx
		return err
	}
	if seats < n {
		return ErrSoldOut
	}
	_, err := s.pool.Exec(ctx, "UPDATE events SET seats = $2 WHERE id = $1", id, seats-n) // also: lostupdate
	return err
}

func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	return s.pool.BeginFunc(ctx, func(tx pgx.Tx) error {
		if _, err := s.pool.Exec(ctx, "INSERT INTO jobs (kind) VALUES ($1)", "renamed "+title); err != nil { // expect: poolintx
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE events SET title = $2 WHERE id = $1", id, title)
		return err
	})
}

func (s *Shop) Total(ctx context.Context) (n int, err error) {
	if _, err := s.pool.Exec(ctx, "SET statement_timeout = '5s'"); err != nil { // expect: sessionset
		return 0, err
	}
	err = s.pool.QueryRow(ctx, "SELECT count(*) FROM events").Scan(&n)
	return n, err
}

func (s *Shop) Sweep(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(1)"); err != nil { // expect: advisorypool
		return err
	}
	_, err = conn.Exec(ctx, "DELETE FROM jobs WHERE state = 'done'")
	return err
}

func (s *Shop) Clear(ctx context.Context) error {
	if _, err := s.pool.Exec(ctx, "LOCK TABLE jobs IN EXCLUSIVE MODE"); err != nil { // expect: notxeffect
		return err
	}
	_, err := s.pool.Exec(ctx, "DELETE FROM jobs WHERE state = 'taken'")
	return err
}

func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE events SET version = version + 1 WHERE id = $1", id); err != nil {
		return err
	}
	resp, err := http.Get(url) // expect: externalcall
	if err != nil {
		return err
	}
	resp.Body.Close()
	return tx.Commit(ctx)
}

func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.pool.BeginTxFunc(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error { // expect: unhandled40001
		_, err := tx.Exec(ctx, "UPDATE events SET seats = seats - $2 WHERE id = $1", id, n)
		return err
	})
}

func (s *Shop) Add(ctx context.Context, title string) error {
	return s.pool.BeginFunc(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO events (title) VALUES ($1)", title)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO jobs (kind) VALUES ($1)", "poster of "+title) // expect: abortedtx
		return err
	})
}

func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := s.pool.Exec(ctx, "UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2", id, version, title) // expect: rowsaffected
	return err
}

func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.pool.BeginFunc(ctx, func(tx pgx.Tx) error {
		var id int
		if err := tx.QueryRow(ctx, "SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE").Scan(&id, &kind); err != nil { // expect: skiplocked
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE jobs SET state = 'taken' WHERE id = $1", id)
		return err
	})
	return kind, err
}

func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.pool.BeginFunc(ctx, func(tx pgx.Tx) error {
		var seats int
		if err := tx.QueryRow(ctx, "SELECT seats FROM events WHERE id = $1", id).Scan(&seats); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE events SET seats = $2 WHERE id = $1", id, seats-n) // expect: lostupdate
		return err
	})
}
