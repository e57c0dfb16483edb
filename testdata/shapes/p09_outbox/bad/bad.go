package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
	"strings"
)

type Publisher interface {
	Publish(ctx context.Context, topic string, body []byte) error
}

type httpPublisher struct{ url string }

func (h httpPublisher) Publish(ctx context.Context, topic string, body []byte) error {
	resp, err := http.Post(h.url+topic, "application/json", strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

type Svc struct {
	pool *pgxpool.Pool
	pub  Publisher
}

func New(pool *pgxpool.Pool) *Svc { return &Svc{pool, httpPublisher{"https://x"}} }

func (s *Svc) Run(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE a SET b = 2`); err != nil {
			return err
		}
		return s.pub.Publish(ctx, "t", nil) // expect: externalcall
	})
}
