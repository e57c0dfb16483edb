// Package good is what is right in a shop on pgx v4.
package good

import (
	"context"
	"errors"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("changed")
)

type Shop struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *Shop { return &Shop{pool: pool} }

func lock(ctx context.Context, tx pgx.Tx, id int) (seats int, err error) {
	err = tx.QueryRow(ctx, "SELECT seats FROM events WHERE id = $1 FOR UPDATE", id).Scan(&seats)
	return seats, err
}

func (s *Shop) Buy(ctx context.Context, id, n int) error {
	return s.pool.BeginFunc(ctx, func(tx pgx.Tx) error {
		seats, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if seats < n {
			return ErrSoldOut
		}
		_, err = tx.Exec(ctx, "UPDATE events SET seats = $2 WHERE id = $1", id, seats-n)
		return err
	})
}

func (s *Shop) Total(ctx context.Context) (n int, err error) {
	err = s.pool.BeginTxFunc(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = '5s'"); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "SELECT count(*) FROM events").Scan(&n)
	})
	return n, err
}

func (s *Shop) Sweep(ctx context.Context) error {
	return s.pool.BeginFunc(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(1)"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "DELETE FROM jobs WHERE state = 'done'")
		return err
	})
}

func (s *Shop) Sell(ctx context.Context, id, n int) error {
	for {
		err := s.pool.BeginTxFunc(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "UPDATE events SET seats = seats - $2 WHERE id = $1", id, n)
			return err
		})
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

func (s *Shop) AddEach(ctx context.Context, titles []string) error {
	return s.pool.BeginFunc(ctx, func(tx pgx.Tx) error {
		for _, title := range titles {
			err := tx.BeginFunc(ctx, func(savepoint pgx.Tx) error {
				_, err := savepoint.Exec(ctx, "INSERT INTO events (title) VALUES ($1)", title)
				return err
			})
			if err != nil {
				continue
			}
		}
		_, err := tx.Exec(ctx, "INSERT INTO jobs (kind) VALUES ('posters')")
		return err
	})
}

func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	tag, err := s.pool.Exec(ctx, "UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2", id, version, title)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return ErrChanged
	}
	return nil
}

func (s *Shop) Lead(ctx context.Context) error {
	return s.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(1)"); err != nil {
			return err
		}
		_, err := conn.Exec(ctx, "DELETE FROM jobs WHERE state = 'done'")
		_, uerr := conn.Exec(context.Background(), "SELECT pg_advisory_unlock(1)")
		if err == nil {
			err = uerr
		}
		return err
	})
}
