// Package settings keeps the settings of users as JSON, with sqlx.
package settings

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
)

// Settings is the row of a user.
type Settings struct {
	UserID   int64  `db:"user_id"`
	Document []byte `db:"document"`
	Theme    string `db:"theme"`
}

// Store keeps settings.
type Store struct{ db *sqlx.DB }

// NewStore returns a store over the database.
func NewStore(db *sqlx.DB) *Store { return &Store{db: db} }

// Set changes one setting, and writes all of them.
func (s *Store) Set(ctx context.Context, user int64, key, value string) error {
	var row Settings
	err := s.db.GetContext(ctx, &row, `SELECT user_id, document, theme FROM settings WHERE user_id = $1`, user)
	if err != nil {
		return err
	}
	values := map[string]string{}
	if err := json.Unmarshal(row.Document, &values); err != nil {
		return err
	}
	values[key] = value
	if row.Document, err = json.Marshal(values); err != nil {
		return err
	}
	_, err = s.db.NamedExecContext(ctx, `UPDATE settings SET document = :document WHERE user_id = :user_id`, row) // want `document of settings is set to a value made from the row read without a lock`
	return err
}

// SetInSQL changes the document where it is.
//
//proof:fixes (*Store).Set
func (s *Store) SetInSQL(ctx context.Context, user int64, key, value string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE settings SET document = document || jsonb_build_object($2::text, $3::text) WHERE user_id = $1`, user, key, value)
	return err
}

// SetLocked keeps others out while it changes the document.
//
//proof:fixes (*Store).Set
func (s *Store) SetLocked(ctx context.Context, user int64, key, value string) error {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var row Settings
	err = tx.GetContext(ctx, &row, `SELECT user_id, document, theme FROM settings WHERE user_id = $1 FOR NO KEY UPDATE`, user)
	if err != nil {
		return err
	}
	values := map[string]string{}
	if err := json.Unmarshal(row.Document, &values); err != nil {
		return err
	}
	values[key] = value
	if row.Document, err = json.Marshal(values); err != nil {
		return err
	}
	if _, err = tx.NamedExecContext(ctx, `UPDATE settings SET document = :document WHERE user_id = :user_id`, row); err != nil {
		return err
	}
	return tx.Commit()
}

// SetTheme sets a column of its own to what it is given.
func (s *Store) SetTheme(ctx context.Context, user int64, theme string) error {
	var row Settings
	err := s.db.GetContext(ctx, &row, `SELECT user_id, document, theme FROM settings WHERE user_id = $1`, user)
	if err != nil {
		return err
	}
	if row.Theme == theme {
		return nil
	}
	row.Theme = theme
	_, err = s.db.NamedExecContext(ctx, `UPDATE settings SET theme = :theme WHERE user_id = :user_id`, row)
	return err
}
