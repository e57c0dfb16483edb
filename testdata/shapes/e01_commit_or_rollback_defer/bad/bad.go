package bad

import (
	"context"
	"database/sql"
	"net/http"
)

type Svc struct {
	db     *sql.DB
	client *http.Client
}

func (s *Svc) Run(ctx context.Context, id int64) (err error) {
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
	if _, err = tx.ExecContext(ctx, `UPDATE a SET b = 1 WHERE id = $1`, id); err != nil {
		return err
	}
	resp, err := s.client.Get("https://x") // expect: externalcall
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
