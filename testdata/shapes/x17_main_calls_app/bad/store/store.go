// Package store keeps shelves.
package store

import (
	"context"
	"database/sql"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x17_main_calls_app/bad/shelf"
)

type Shelves struct{ db *sql.DB }

func New(db *sql.DB) *Shelves { return &Shelves{db: db} }

func (s *Shelves) Shelf(ctx context.Context, id int64) (*shelf.Shelf, error) {
	out := &shelf.Shelf{ID: id}
	if err := s.db.QueryRowContext(ctx, `SELECT books FROM shelves WHERE id = $1`, id).Scan(&out.Books); err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Shelves) Save(ctx context.Context, x *shelf.Shelf) error {
	_, err := s.db.ExecContext(ctx, `UPDATE shelves SET books = $2 WHERE id = $1`, x.ID, x.Books)
	return err
}
