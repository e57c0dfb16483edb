// Package postgres stores members, in rows of its own.
package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u52_two_interfaces/bad"
)

type memberRow struct {
	ID     int64         `db:"id"`
	Email  string        `db:"email"`
	Points sql.NullInt64 `db:"points"`
}

func (r memberRow) model() *bad.Member {
	return &bad.Member{ID: r.ID, Email: r.Email, Points: bad.Points(r.Points.Int64)}
}

func rowOf(m *bad.Member) memberRow {
	return memberRow{ID: m.ID, Email: m.Email, Points: sql.NullInt64{Int64: int64(m.Points), Valid: true}}
}

type repo struct{ db *sqlx.DB }

func New(db *sqlx.DB) bad.MemberRepository { return &repo{db} }

func (r *repo) FindByEmail(ctx context.Context, email string) (*bad.Member, error) {
	var row memberRow
	if err := r.db.GetContext(ctx, &row, `SELECT id, email, points FROM members WHERE email = $1`, email); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return nil, bad.ErrNotFound
		}
		return nil, err
	}
	return row.model(), nil
}

func (r *repo) FindByID(ctx context.Context, id int64) (*bad.Member, error) {
	var row memberRow
	if err := r.db.GetContext(ctx, &row, `SELECT id, email, points FROM members WHERE id = $1`, id); err != nil {
		return nil, err
	}
	return row.model(), nil
}

func (r *repo) Create(ctx context.Context, m *bad.Member) error {
	return r.db.QueryRowContext(ctx, `INSERT INTO members (email) VALUES ($1) RETURNING id`, m.Email).Scan(&m.ID)
}

func (r *repo) Update(ctx context.Context, m *bad.Member) error {
	_, err := r.db.NamedExecContext(ctx, `UPDATE members SET points = :points WHERE id = :id`, rowOf(m))
	return err
}
