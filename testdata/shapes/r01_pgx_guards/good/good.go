package good

import (
	"context"
	"errors"
	"log"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrChanged = errors.New("changed")

type Store struct {
	pool *pgxpool.Pool
	name string
}

func (s *Store) Rename(ctx context.Context, id int64, name string, version int) error {
	tag, err := s.pool.Exec(ctx, `UPDATE docs SET name = $2, version = version + 1 WHERE id = $1 AND version = $3`, id, name, version)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return ErrChanged
	}
	return nil
}

// Ship looks at the count outside the closure.
func (s *Store) Ship(ctx context.Context, id int64) error {
	var n int64
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE orders SET status = 'shipped' WHERE id = $1 AND status = 'paid'`, id)
		n = tag.RowsAffected()
		return err
	})
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrChanged
	}
	return nil
}

// Debit has the row locked and looked at before.
func (s *Store) Debit(ctx context.Context, id, amount int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var balance int64
		if err := tx.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1 FOR UPDATE`, id).Scan(&balance); err != nil {
			return err
		}
		if balance < amount {
			return errors.New("not enough")
		}
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance - $2 WHERE id = $1 AND balance >= $2`, id, amount)
		return err
	})
}

// Release gives up a job: whoever has it, it is not this worker's afterwards.
func (s *Store) Release(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE jobs SET state = 'queued', locked_by = NULL, locked_at = NULL WHERE id = $1 AND locked_by = $2`, id, s.name)
	return err
}

// Revoke is done either way.
func (s *Store) Revoke(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE tokens SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL`, id)
	return err
}

func (s *Store) MarkRead(ctx context.Context, id int64, by int64) error {
	if _, err := s.pool.Exec(ctx, `UPDATE messages SET is_read = true WHERE id = $1 AND recipient_id = $2 AND is_read = false`, id, by); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `UPDATE messages SET status = 'done' WHERE id = $1 AND status <> 'done'`, id)
	return err
}

// Rescope writes by key and by whose row it is.
func (s *Store) Rescope(ctx context.Context, id, tenant, user int64, title string) error {
	if _, err := s.pool.Exec(ctx, `UPDATE notes SET title = $3 WHERE id = $1 AND tenant_id = $2 AND deleted_at IS NULL`, id, tenant, title); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `DELETE FROM notes WHERE id = $1 AND user_id = $2`, id, user)
	return err
}

// Sweep is for any number of rows.
func (s *Store) Sweep(ctx context.Context, worker string) error {
	if _, err := s.pool.Exec(ctx, `UPDATE jobs SET state = 'queued' WHERE state = 'running' AND lease_until < now()`); err != nil {
		return err
	}
	if _, err := s.pool.Exec(ctx, `UPDATE jobs SET state = 'queued', locked_by = NULL WHERE locked_by = $1 AND state = 'running'`, worker); err != nil {
		return err
	}
	if _, err := s.pool.Exec(ctx, `DELETE FROM sessions WHERE expires_at < now()`); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `UPDATE orders SET status = 'cancelled' WHERE customer_id = $1 AND status = 'pending'`, worker)
	return err
}

// Bump keeps the newer of two values.
func (s *Store) Bump(ctx context.Context, id int64, at time.Time) error {
	_, err := s.pool.Exec(ctx, `UPDATE devices SET seen_at = $2 WHERE id = $1 AND seen_at < $2`, id, at)
	return err
}

// Unlike keeps a counter from falling below zero.
func (s *Store) Unlike(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE posts SET like_count = like_count - 1 WHERE id = $1 AND like_count > 0`, id)
	return err
}

// Finish reads the row back.
func (s *Store) Finish(ctx context.Context, id int64) error {
	if _, err := s.pool.Exec(ctx, `UPDATE jobs SET state = 'done' WHERE id = $1 AND state = 'running'`, id); err != nil {
		return err
	}
	var state string
	if err := s.pool.QueryRow(ctx, `SELECT state FROM jobs WHERE id = $1`, id).Scan(&state); err != nil {
		return err
	}
	if state != "done" {
		return ErrChanged
	}
	return nil
}

// Close gives the tag to whoever calls it.
func (s *Store) Close(ctx context.Context, id int64) (pgconn.CommandTag, error) {
	return s.pool.Exec(ctx, `UPDATE tickets SET status = 'closed' WHERE id = $1 AND status = 'open'`, id)
}

// one makes an error of a count that is not 1.
func one(tag pgconn.CommandTag, err error) error {
	if err == nil && tag.RowsAffected() != 1 {
		err = ErrChanged
	}
	return err
}

func (s *Store) Reopen(ctx context.Context, id int64) error {
	return one(s.pool.Exec(ctx, `UPDATE tickets SET status = 'open' WHERE id = $1 AND status = 'closed'`, id))
}

// Try is an attempt: it does not matter whether it is done.
func (s *Store) Try(ctx context.Context, id int64) {
	_, _ = s.pool.Exec(ctx, `UPDATE tickets SET status = 'stale' WHERE id = $1 AND status = 'open'`, id)
}

// Accept scans what is returned.
func (s *Store) Accept(ctx context.Context, id int64) (int64, error) {
	var customer int64
	err := s.pool.QueryRow(ctx, `UPDATE offers SET status = 'accepted' WHERE id = $1 AND status = 'open' RETURNING customer_id`, id).Scan(&customer)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrChanged
	}
	return customer, err
}

// Log says how many there were.
func (s *Store) Log(ctx context.Context, id int64) error {
	tag, err := s.pool.Exec(ctx, `UPDATE tickets SET status = 'closed' WHERE id = $1 AND status = 'open'`, id)
	if err != nil {
		return err
	}
	log.Printf("closed %d", tag.RowsAffected())
	return nil
}

// Sell looks at the first of a batch's results.
func (s *Store) Sell(ctx context.Context, id int64, n int) error {
	b := &pgx.Batch{}
	b.Queue(`UPDATE stock SET left_over = left_over - $2 WHERE item_id = $1 AND left_over >= $2`, id, n)
	b.Queue(`INSERT INTO sales (item_id, n) VALUES ($1, $2)`, id, n)
	res := s.pool.SendBatch(ctx, b)
	defer res.Close()
	tag, err := res.Exec()
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return ErrChanged
	}
	_, err = res.Exec()
	return err
}

// Buy has a function for the result.
func (s *Store) Buy(ctx context.Context, id int64, n int) error {
	b := &pgx.Batch{}
	b.Queue(`UPDATE stock SET left_over = left_over - $2 WHERE item_id = $1 AND left_over >= $2`, id, n).Exec(func(ct pgconn.CommandTag) error {
		if ct.RowsAffected() == 0 {
			return ErrChanged
		}
		return nil
	})
	return s.pool.SendBatch(ctx, b).Close()
}

// Fail marks what is not done by now.
func (s *Store) Fail(ctx context.Context, id int64, reason string) error {
	_, err := s.pool.Exec(ctx, `UPDATE jobs SET state = 'failed', reason = $2 WHERE id = $1 AND state = 'running'`, id, reason)
	return err
}

// Progress is a note whose failure is logged.
func (s *Store) Progress(ctx context.Context, id int64, phase string) {
	if _, err := s.pool.Exec(ctx, `UPDATE runs SET phase = $2, updated_at = now() WHERE id = $1 AND status = 'running'`, id, phase); err != nil {
		log.Print(err)
	}
}

// Reset is by the owner of a record on a board of leaders.
func (s *Store) Reset(ctx context.Context, board string, owner int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE leaderboard_record SET score = 0 WHERE leaderboard_id = $1 AND owner_id = $2`, board, owner)
	return err
}

// Use is a mark, and all there is to do.
func (s *Store) Use(ctx context.Context, token string) error {
	_, err := s.pool.Exec(ctx, `UPDATE invites SET used_at = now() WHERE token = $1 AND used_at IS NULL`, token)
	return err
}

// Requeue gives back what was taken.
func (s *Store) Requeue(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE jobs SET state = 'queued', started_at = NULL WHERE id = $1 AND state = 'running'`, id)
	return err
}
