// Package good sends mail through jobs of River.
package good

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

type WelcomeArgs struct {
	UserID int64 `json:"user_id"`
}

func (WelcomeArgs) Kind() string { return "welcome" }

type Users struct {
	pool  *pgxpool.Pool
	river *river.Client[pgx.Tx]
	// remote inserts jobs in the database of another service.
	remote *river.Client[pgx.Tx]
}

func New(pool, other *pgxpool.Pool) (*Users, error) {
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	if err != nil {
		return nil, err
	}
	remote, err := river.NewClient(riverpgxv5.New(other), &river.Config{})
	if err != nil {
		return nil, err
	}
	return &Users{pool: pool, river: client, remote: remote}, nil
}

// Register inserts the job in the user's transaction: no call leaves the database.
func (u *Users) Register(ctx context.Context, email string) error {
	tx, err := u.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	var id int64
	if err := tx.QueryRow(ctx, "INSERT INTO users (email) VALUES ($1) RETURNING id", email).Scan(&id); err != nil {
		return err
	}
	if _, err := u.river.InsertTx(ctx, tx, WelcomeArgs{UserID: id}, nil); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Again inserts a job of its own.
func (u *Users) Again(ctx context.Context, id int64) error {
	_, err := u.river.Insert(ctx, WelcomeArgs{UserID: id}, nil)
	return err
}

// Hand inserts a job elsewhere.
func (u *Users) Hand(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, u.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE users SET handed = true WHERE id = $1", id); err != nil {
			return err
		}
		_, err := u.remote.Insert(ctx, WelcomeArgs{UserID: id}, nil)
		return err
	})
}
