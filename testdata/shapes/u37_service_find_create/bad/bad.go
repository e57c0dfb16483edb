// Package bad asks one method of a repository whether there is a user, and
// creates it with another.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
	return u.db.QueryRowContext(ctx, `INSERT INTO users (email) VALUES ($1) RETURNING id`, user.Email).Scan(&user.ID)
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
	if err := s.users.Insert(ctx, user); err != nil { // expect: lostupdate
		return nil, err
	}
	return user, nil
}
