package bad

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Mailer struct {
	pool *pgxpool.Pool
	q    *Queries
	send func(Email) error
}

func NewMailer(pool *pgxpool.Pool, send func(Email) error) *Mailer {
	return &Mailer{pool: pool, q: New(pool), send: send}
}

func (m *Mailer) SendOne(ctx context.Context) error {
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	qtx := m.q.WithTx(tx)
	mail, err := qtx.NextEmail(ctx) // expect: skiplocked
	if err != nil {
		return err
	}
	state := "sent"
	if err := m.send(mail); err != nil {
		state = "failed"
	}
	if err := qtx.SetEmailState(ctx, SetEmailStateParams{ID: mail.ID, State: state}); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Resend names one mail.
func (m *Mailer) Resend(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		q := m.q.WithTx(tx)
		mail, err := q.GetEmailForUpdate(ctx, id)
		if err != nil {
			return err
		}
		return q.SetEmailState(ctx, SetEmailStateParams{ID: mail.ID, State: "queued"})
	})
}
