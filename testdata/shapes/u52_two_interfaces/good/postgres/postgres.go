// Package postgres stores members, and translates errors.
package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jmoiron/sqlx"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u52_two_interfaces/good"
)

const uniqueViolation = "23505"

type repo struct{ db *sqlx.DB }

func New(db *sqlx.DB) good.MemberRepository { return &repo{db} }

func (r *repo) FindByEmail(ctx context.Context, email string) (*good.Member, error) {
	var m good.Member
	err := r.db.QueryRowxContext(ctx, `SELECT id, email, points FROM members WHERE email = $1`, email).Scan(&m.ID, &m.Email, &m.Points)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, good.ErrNotFound
	}
	return &m, err
}

func (r *repo) FindByID(ctx context.Context, id int64) (*good.Member, error) {
	var m good.Member
	err := r.db.QueryRowxContext(ctx, `SELECT id, email, points FROM members WHERE id = $1`, id).Scan(&m.ID, &m.Email, &m.Points)
	return &m, err
}

func (r *repo) Create(ctx context.Context, m *good.Member) error {
	err := r.db.QueryRowContext(ctx, `INSERT INTO members (email) VALUES ($1) RETURNING id`, m.Email).Scan(&m.ID)
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == uniqueViolation {
		return good.ErrExists
	}
	return err
}

func (r *repo) AddPoints(ctx context.Context, id, n int64) error {
	_, err := r.db.ExecContext(ctx, `UPDATE members SET points = points + $2 WHERE id = $1`, id, n)
	return err
}

func (r *repo) Rename(ctx context.Context, id int64, email string) error {
	_, err := r.db.ExecContext(ctx, `UPDATE members SET email = $2 WHERE id = $1`, id, email)
	return err
}
