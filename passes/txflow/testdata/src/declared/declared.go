// Package declared uses what its configuration declares.
package declared

import (
	"context"
	"database/sql"
	"time"
)

// Conn returns the transaction of the context or else a pool.
var conn func(ctx context.Context) Runner

func Conn(ctx context.Context) Runner { return conn(ctx) }

type Runner interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// A Cluster is a pool, and Work a transaction; nothing in them says so.
type Cluster struct{ Runner }

type Work interface{ Runner }

type Units interface {
	Do(ctx context.Context, failed func(error), fn func(ctx context.Context, q Runner) error) error
}

type Again interface {
	Try(fn func() error) error
}

func Ambient(ctx context.Context, units Units) error {
	return units.Do(ctx, func(error) {}, func(ctx context.Context, q Runner) error {
		if _, err := Conn(ctx).ExecContext(ctx, `UPDATE seats SET taken = true`); err != nil {
			return err
		}
		_, err := Conn(context.Background()).ExecContext(ctx, `UPDATE seats SET taken = true`) // want `outside the transaction that is open here`
		return err
	})
}

func OnCluster(ctx context.Context, units Units, c *Cluster) error {
	return units.Do(ctx, func(error) {}, func(ctx context.Context, q Runner) error {
		time.Sleep(time.Second) // want `a sleep with a transaction open`
		if _, err := q.ExecContext(ctx, `UPDATE seats SET taken = true`); err != nil {
			return err
		}
		_, err := c.ExecContext(ctx, `UPDATE seats SET taken = true`)
		return err
	})
}

func InWork(ctx context.Context, w Work) {
	time.Sleep(time.Second) // want `a sleep with a transaction open`
}

type Service struct {
	db *sql.DB // declared to be another database
}

type Store struct{ db *sql.DB }

func (s *Service) Report(ctx context.Context, units Units) error {
	return units.Do(ctx, func(error) {}, func(ctx context.Context, q Runner) error {
		_, err := s.db.ExecContext(ctx, `UPDATE reports SET seen = true`)
		return err
	})
}

func (s *Store) Report(ctx context.Context, units Units) error {
	return units.Do(ctx, func(error) {}, func(ctx context.Context, q Runner) error {
		_, err := s.db.ExecContext(ctx, `UPDATE reports SET seen = true`) // want `outside the transaction that is open here`
		return err
	})
}

func Serial(ctx context.Context, db *sql.DB, again Again) error {
	return again.Try(func() error {
		tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, `UPDATE seats SET taken = true`); err != nil {
			return err
		}
		return tx.Commit()
	})
}

func SerialOnce(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // want `nobody runs again`
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE seats SET taken = true`); err != nil {
		return err
	}
	return tx.Commit()
}
