package good

import (
	"context"
	"encoding/json"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"log/slog"
	"net/http"
	"time"
)

type Publisher interface {
	Publish(ctx context.Context, tx pgx.Tx, topic string, body []byte) error
}

type outbox struct{}

func (outbox) Publish(ctx context.Context, tx pgx.Tx, topic string, body []byte) error {
	_, err := tx.Exec(ctx, `INSERT INTO outbox VALUES ($1, $2)`, topic, body)
	return err
}

type Svc struct {
	pool *pgxpool.Pool
	pub  Publisher
	log  *slog.Logger
	hook chan<- string
}

func New(pool *pgxpool.Pool) *Svc { return &Svc{pool: pool, pub: outbox{}} }

func (s *Svc) Run(ctx context.Context) error {
	deadline, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	err := pgx.BeginFunc(deadline, s.pool, func(tx pgx.Tx) error {
		s.log.Info("marking")
		if _, err := tx.Exec(ctx, `UPDATE a SET b = 2`); err != nil {
			return err
		}
		timeout := time.After(time.Minute)
		select {
		case s.hook <- "x":
		case <-timeout:
		default:
		}
		req, err := http.NewRequest("GET", "https://x", nil)
		if err != nil {
			return err
		}
		body, _ := json.Marshal(req.Header)
		return s.pub.Publish(ctx, tx, "t", body)
	})
	if errors.Is(err, context.DeadlineExceeded) {
		time.Sleep(time.Second)
	}
	return err
}
