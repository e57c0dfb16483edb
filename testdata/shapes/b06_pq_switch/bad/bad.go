package bad

import (
	"context"
	"database/sql"
	"errors"
	"github.com/lib/pq"
)

type Accounts struct{ db *sql.DB }

var ErrTaken = errors.New("taken")

func (a *Accounts) insert(ctx context.Context, tx *sql.Tx, email string) (id int64, err error) {
	err = tx.QueryRowContext(ctx, "INSERT INTO accounts (email) VALUES ($1) RETURNING id", email).Scan(&id)
	var pe *pq.Error
	if errors.As(err, &pe) {
		switch pe.Code.Name() {
		case "unique_violation":
			return 0, ErrTaken
		}
	}
	return id, err
}

func (a *Accounts) Join(ctx context.Context, email string, team int64) error {
	tx, err := a.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	id, err := a.insert(ctx, tx, email)
	switch {
	case errors.Is(err, ErrTaken):
		err = tx.QueryRowContext(ctx, "SELECT id FROM accounts WHERE email = $1", email).Scan(&id) // expect: abortedtx
		if err != nil {
			return err
		}
	case err != nil:
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO team_members (team, account) VALUES ($1, $2)", team, id); err != nil { // also: abortedtx
		return err
	}
	return tx.Commit()
}
