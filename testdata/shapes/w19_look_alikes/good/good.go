package good

import (
	"context"
	"database/sql"
	"errors"
)

type Store struct{ db *sql.DB }

func (s *Store) inTx(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Cancel ends the one active subscription of a user: the second caller has to
// wait, and finds none.
func (s *Store) Cancel(ctx context.Context, user int64) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		var id int64
		err := tx.QueryRowContext(ctx, `SELECT id FROM subscriptions WHERE user_id = $1 AND status = 'active' ORDER BY created_at DESC LIMIT 1 FOR UPDATE`, user).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE subscriptions SET status = 'cancelled' WHERE id = $1`, id)
		return err
	})
}

// Redeem looks a code up by itself.
func (s *Store) Redeem(ctx context.Context, code string) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		var id int64
		if err := tx.QueryRowContext(ctx, `SELECT id FROM codes WHERE code = $1 AND used_at IS NULL LIMIT 1 FOR UPDATE`, code).Scan(&id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE codes SET used_at = now() WHERE id = $1`, id)
		return err
	})
}

// ReplaceKey locks the key that is in use, so that keys are replaced one after
// another.
func (s *Store) ReplaceKey(ctx context.Context, key []byte) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		var id int64
		if err := tx.QueryRowContext(ctx, `SELECT id FROM signing_keys WHERE active ORDER BY created_at DESC LIMIT 1 FOR UPDATE`).Scan(&id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE signing_keys SET active = false WHERE id = $1`, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO signing_keys (key, active) VALUES ($1, true)`, key)
		return err
	})
}

// Page reads a page of a list under a lock: nothing tells one state from another.
func (s *Store) Page(ctx context.Context, after int64) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT id FROM books WHERE id > $1 ORDER BY id LIMIT 100 FOR UPDATE`, after)
		if err != nil {
			return err
		}
		var last int64
		for rows.Next() {
			if err := rows.Scan(&last); err != nil {
				return err
			}
		}
		if err := rows.Close(); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE books SET shelf = lower(shelf) WHERE id > $1 AND id <= $2`, after, last)
		return err
	})
}

// Number takes the next number of an account under the lock of its newest row.
func (s *Store) Number(ctx context.Context, account int64) (n int64, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, `SELECT number FROM invoices WHERE account_id = $1 ORDER BY number DESC LIMIT 1 FOR UPDATE`, account).Scan(&n); err != nil {
			return err
		}
		n++
		_, err := tx.ExecContext(ctx, `INSERT INTO invoices (account_id, number) VALUES ($1, $2)`, account, n)
		return err
	})
	return n, err
}

// Claim tries the advisory lock of the queue first.
func (s *Store) Claim(ctx context.Context) (id int64, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		if err := s.alone(ctx, tx); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE`).Scan(&id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE jobs SET state = 'busy' WHERE id = $1`, id)
		return err
	})
	return id, err
}

func (s *Store) alone(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('jobs', 0))`)
	return err
}

// ClaimSerializable fails with 40001 where two workers meet, and is run again.
func (s *Store) ClaimSerializable(ctx context.Context) (id int64, err error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) //pgtxvet:ignore unhandled40001 the caller runs it again
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if err := tx.QueryRowContext(ctx, `SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1`).Scan(&id); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE jobs SET state = 'busy' WHERE id = $1`, id); err != nil {
		return 0, err
	}
	return id, tx.Commit()
}

// TryInStatement takes the lock of each job in the statement that finds it.
func (s *Store) TryInStatement(ctx context.Context) (id int64, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT id FROM jobs WHERE state = 'new' AND pg_try_advisory_xact_lock(id) ORDER BY id LIMIT 1`).Scan(&id)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE jobs SET state = 'busy' WHERE id = $1`, id)
		return err
	})
	return id, err
}
