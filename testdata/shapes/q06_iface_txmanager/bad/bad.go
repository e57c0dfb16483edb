package bad

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/smtp"
)

type TxManager interface {
	Do(ctx context.Context, fn func(ctx context.Context) error) error
}

type key struct{}

type pgManager struct{ pool *pgxpool.Pool }

func (m *pgManager) Do(ctx context.Context, fn func(ctx context.Context) error) (err error) {
	if ctx.Value(key{}) != nil {
		return fn(ctx)
	}
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback(ctx))
			return
		}
		err = tx.Commit(ctx)
	}()
	return fn(context.WithValue(ctx, key{}, tx))
}

type Repo struct{ pool *pgxpool.Pool }

func (r *Repo) Save(ctx context.Context) error {
	_, err := r.pool.Exec(ctx, `UPDATE a SET b = 1`)
	return err
}

type Mailer interface {
	Send(ctx context.Context, to string) error
}

type smtpMailer struct{ addr string }

func (m smtpMailer) Send(ctx context.Context, to string) error {
	return smtp.SendMail(m.addr, nil, "a@b", []string{to}, nil)
}

type Svc struct {
	txm  TxManager
	repo *Repo
	mail Mailer
}

func (s *Svc) Run(ctx context.Context) error {
	return s.txm.Do(ctx, func(ctx context.Context) error {
		if err := s.repo.Save(ctx); err != nil { // expect: poolintx
			return err
		}
		return s.mail.Send(ctx, "x") // expect: externalcall
	})
}
