// Package good knows what a duplicate key says, or writes no second row.
package good

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/lib/pq"
)

type User struct {
	ID    int64
	Email string
}

var (
	ErrNotFound = errors.New("no such user")
	ErrExists   = errors.New("the user exists")
)

type Users struct{ db *sql.DB }

func (u *Users) ByEmail(ctx context.Context, email string) (*User, error) {
	var user User
	err := u.db.QueryRowContext(ctx, `SELECT id, email FROM users WHERE email = $1`, email).Scan(&user.ID, &user.Email)
	if err == sql.ErrNoRows {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("user by email: %w", err)
	}
	return &user, nil
}

func (u *Users) Insert(ctx context.Context, user *User) error {
	err := u.db.QueryRowContext(ctx, `INSERT INTO users (email) VALUES ($1) RETURNING id`, user.Email).Scan(&user.ID)
	return translate(err)
}

func translate(err error) error {
	var pqErr *pq.Error
	if errors.As(err, &pqErr) && pqErr.Code.Name() == "unique_violation" {
		return ErrExists
	}
	return err
}

type Service struct{ users *Users }

func (s *Service) Register(ctx context.Context, email string) (*User, error) {
	_, err := s.users.ByEmail(ctx, email)
	if err == nil {
		return nil, ErrExists
	}
	if !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	user := &User{Email: email}
	return user, s.users.Insert(ctx, user)
}

// Invite needs the user to be there, and writes into another table.
func (s *Service) Invite(ctx context.Context, email string) error {
	user, err := s.users.ByEmail(ctx, email)
	if err != nil {
		return err
	}
	_, err = s.users.db.ExecContext(ctx, `INSERT INTO invitations (user_id) VALUES ($1)`, user.ID)
	return err
}
