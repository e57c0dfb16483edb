// Package names gives names to users, with sqlx.
package names

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jmoiron/sqlx"
)

// ErrTaken says that somebody else has the name.
var ErrTaken = errors.New("the name is taken")

// Registry keeps names.
type Registry struct{ db *sqlx.DB }

// NewRegistry returns a registry over the database.
func NewRegistry(db *sqlx.DB) *Registry { return &Registry{db: db} }

// Claim asks whether a name is free, and takes it for granted that it stays so.
func (r *Registry) Claim(ctx context.Context, name string, user int64) error {
	var taken bool
	err := r.db.GetContext(ctx, &taken, `SELECT EXISTS (SELECT 1 FROM names WHERE name = $1)`, name)
	if err != nil {
		return err
	}
	if taken {
		return ErrTaken
	}
	_, err = r.db.ExecContext(ctx, `INSERT INTO names (name, user_id) VALUES ($1, $2)`, name, user) // want `whether this row of names is inserted was decided by the read`
	return err
}

// ClaimFirst inserts the name unless it is there.
//
//proof:fixes (*Registry).Claim
func (r *Registry) ClaimFirst(ctx context.Context, name string, user int64) error {
	res, err := r.db.ExecContext(ctx, `INSERT INTO names (name, user_id) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, user)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrTaken
	}
	return nil
}

// ClaimUnique asks only to fail early, and knows what a duplicate key says.
//
//proof:fixes (*Registry).Claim
func (r *Registry) ClaimUnique(ctx context.Context, name string, user int64) error {
	var taken bool
	err := r.db.GetContext(ctx, &taken, `SELECT EXISTS (SELECT 1 FROM names WHERE name = $1)`, name)
	if err != nil {
		return err
	}
	if taken {
		return ErrTaken
	}
	_, err = r.db.ExecContext(ctx, `INSERT INTO names (name, user_id) VALUES ($1, $2)`, name, user)
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return ErrTaken
	}
	return err
}

// Log asks about a name, and writes into another table.
func (r *Registry) Log(ctx context.Context, name string) error {
	var taken bool
	err := r.db.GetContext(ctx, &taken, `SELECT EXISTS (SELECT 1 FROM names WHERE name = $1)`, name)
	if err != nil || taken {
		return err
	}
	_, err = r.db.ExecContext(ctx, `INSERT INTO wishes (name) VALUES ($1)`, name)
	return err
}
