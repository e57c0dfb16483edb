package good

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct {
	pool *pgxpool.Pool
}

type Input struct {
	ID int64
	Tx pgx.Tx
}

// Cancel uses the transaction that it is given, or one of its own.
func (s *Store) Cancel(ctx context.Context, in Input) error {
	tx := in.Tx
	if in.Tx == nil {
		var err error
		if tx, err = s.pool.Begin(ctx); err != nil {
			return err
		}
		defer tx.Rollback(ctx)
	}
	if _, err := tx.Exec(ctx, "UPDATE jobs SET state = 'cancelled' WHERE id = $1", in.ID); err != nil {
		return err
	}
	if in.Tx == nil {
		return tx.Commit(ctx)
	}
	return nil
}

// Finish is the same with a variable that says whose it is, and waits for
// nothing while it is open.
func (s *Store) Finish(ctx context.Context, id int64, tx pgx.Tx) (err error) {
	own := tx == nil
	if own {
		if tx, err = s.pool.Begin(ctx); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				tx.Rollback(ctx)
			}
		}()
	}
	if _, err = tx.Exec(ctx, "UPDATE jobs SET state = 'done' WHERE id = $1", id); err != nil {
		return err
	}
	if own {
		if err = tx.Commit(ctx); err != nil {
			return err
		}
		return announce(ctx)
	}
	return nil
}

type handle struct {
	tx   pgx.Tx
	mine bool
}

// open hands out the transaction of the input, or a new one.
func (s *Store) open(ctx context.Context, in Input) (*handle, error) {
	if in.Tx != nil {
		return &handle{tx: in.Tx}, nil
	}
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return &handle{tx: tx, mine: true}, nil
}

func (h *handle) done(ctx context.Context) error {
	if !h.mine {
		return nil
	}
	return h.tx.Commit(ctx)
}

func (s *Store) Restart(ctx context.Context, in Input) error {
	h, err := s.open(ctx, in)
	if err != nil {
		return err
	}
	if _, err := h.tx.Exec(ctx, "UPDATE jobs SET state = 'queued' WHERE id = $1", in.ID); err != nil {
		return err
	}
	if err := h.done(ctx); err != nil {
		return err
	}
	return announce(ctx)
}

func announce(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://bus/jobs", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (s *Store) CancelAll(ctx context.Context, ids []int64) error {
	for _, id := range ids {
		if err := s.Cancel(ctx, Input{ID: id}); err != nil {
			return err
		}
		if err := s.Finish(ctx, id, nil); err != nil {
			return err
		}
		if err := announce(ctx); err != nil {
			return err
		}
	}
	return announce(ctx)
}
