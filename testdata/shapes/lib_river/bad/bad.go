// Package bad sends mail through jobs of River.
package bad

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
}

func New(pool *pgxpool.Pool) (*Users, error) {
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	if err != nil {
		return nil, err
	}
	return &Users{pool: pool, river: client}, nil
}

// Register inserts the job on the client's pool: it can run before the user is
// committed, and stays if the user is not.
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
	if _, err := u.river.Insert(ctx, WelcomeArgs{UserID: id}, nil); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit(ctx)
}

// Invite does the same for several jobs.
func (u *Users) Invite(ctx context.Context, ids []int64) error {
	return pgx.BeginFunc(ctx, u.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE users SET invited = true WHERE id = ANY($1)", ids); err != nil {
			return err
		}
		var jobs []river.InsertManyParams
		for _, id := range ids {
			jobs = append(jobs, river.InsertManyParams{Args: WelcomeArgs{UserID: id}})
		}
		_, err := u.river.InsertMany(ctx, jobs) // expect: poolintx
		return err
	})
}
