// Package profiles stores profiles, and where they can their history:
// database/sql.
package profiles

import (
	"context"
	"database/sql"
	"errors"
	"log"
)

// Store stores profiles.
type Store struct{ db *sql.DB }

// NewStore returns a store over the database.
func NewStore(db *sql.DB) *Store { return &Store{db: db} }

const (
	update  = `UPDATE profiles SET city = $2 WHERE id = $1`
	history = `INSERT INTO profile_history (profile_id, city) VALUES ($1, $2)`
)

// Move writes the city. That the history may fail is an opinion that
// PostgreSQL does not share.
func (s *Store) Move(ctx context.Context, id int64, city string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, update, id, city); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, history, id, city); err != nil {
		log.Printf("history of profile %d: %v", id, err)
	}
	return tx.Commit() // want "25P02"
}

// MoveAnyway lets the history fail behind a savepoint.
//
//proof:fixes (*Store).Move
func (s *Store) MoveAnyway(ctx context.Context, id int64, city string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, update, id, city); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `SAVEPOINT history`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, history, id, city); err != nil {
		log.Printf("history of profile %d: %v", id, err)
		if _, err := tx.ExecContext(ctx, `ROLLBACK TO SAVEPOINT history`); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// MoveQuietly does not look at the error at all.
func (s *Store) MoveQuietly(ctx context.Context, id int64, city string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	_, _ = tx.ExecContext(ctx, history, id, city)
	if _, err := tx.ExecContext(ctx, update, id, city); err != nil { // want "25P02"
		return err
	}
	return tx.Commit()
}

// MoveFirst writes the history when the city is safe.
//
//proof:fixes (*Store).MoveQuietly
func (s *Store) MoveFirst(ctx context.Context, id int64, city string) error {
	if _, err := s.db.ExecContext(ctx, update, id, city); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, history, id, city); err != nil {
		log.Printf("history of profile %d: %v", id, err)
	}
	return nil
}

// Ensure is right as well: no row is no error of PostgreSQL's.
func (s *Store) Ensure(ctx context.Context, id int64) (city string, err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	err = tx.QueryRowContext(ctx, `SELECT city FROM profiles WHERE id = $1 FOR NO KEY UPDATE`, id).Scan(&city)
	if errors.Is(err, sql.ErrNoRows) {
		city = "nowhere"
		_, err = tx.ExecContext(ctx, `INSERT INTO profiles (id, city) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, id, city)
	}
	if err != nil {
		return "", err
	}
	return city, tx.Commit()
}
