package good

import (
	"context"
	"database/sql"
	"net/http"
)

type Svc struct {
	db     *sql.DB
	client *http.Client
}

func (s *Svc) mark(ctx context.Context, id int64) (err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tx.Rollback()
		} else {
			err = tx.Commit()
		}
	}()
	_, err = tx.ExecContext(ctx, `UPDATE a SET b = 1 WHERE id = $1`, id)
	return err
}

func (s *Svc) Run(ctx context.Context, id int64) error {
	if err := s.mark(ctx, id); err != nil {
		return err
	}
	resp, err := s.client.Get("https://x")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = s.db.ExecContext(ctx, `UPDATE a SET b = 2 WHERE id = $1`, id)
	return err
}
