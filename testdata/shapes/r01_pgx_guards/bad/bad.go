package bad

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct {
	pool *pgxpool.Pool
	name string
}

// Rename is guarded by a version.
func (s *Store) Rename(ctx context.Context, id int64, name string, version int) error {
	_, err := s.pool.Exec(ctx, `UPDATE docs SET name = $2, version = version + 1 WHERE id = $1 AND version = $3`, id, name, version) // expect: rowsaffected
	if err != nil {
		return fmt.Errorf("rename: %w", err)
	}
	return nil
}

// Ship changes a state in a transaction, and writes on.
func (s *Store) Ship(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE orders SET status = 'shipped' WHERE id = $1 AND status = 'paid'`, id) // expect: rowsaffected
		_ = tag
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO shipments (order_id) VALUES ($1)`, id)
		return err
	})
}

// Debit takes from a balance as long as there is enough.
func (s *Store) Debit(ctx context.Context, id, amount int64) error {
	if _, err := s.pool.Exec(ctx, `UPDATE accounts SET balance = balance - $2 WHERE id = $1 AND balance >= $2`, id, amount); err != nil { // expect: rowsaffected
		return err
	}
	return nil
}

// Complete is fenced by the worker's name.
func (s *Store) Complete(ctx context.Context, id int64) {
	_, err := s.pool.Exec(ctx, `UPDATE jobs SET state = 'done', finished_at = now() WHERE id = $1 AND locked_by = $2`, id, s.name) // expect: rowsaffected
	if err != nil {
		log.Print(err)
	}
}

// set returns the tag, and its callers drop it.
func (s *Store) set(ctx context.Context, id int64, from, to string) (pgconn.CommandTag, error) {
	return s.pool.Exec(ctx, `UPDATE tickets SET status = $3 WHERE id = $1 AND status = $2`, id, from, to)
}

// Close drops it.
func (s *Store) Close(ctx context.Context, id int64) error {
	_, err := s.set(ctx, id, "open", "closed") // expect: rowsaffected
	return err
}

// exec drops every tag.
func (s *Store) exec(ctx context.Context, sql string, args ...any) error {
	_, err := s.pool.Exec(ctx, sql, args...)
	return err
}

// Claim is a claim of a row for somebody.
func (s *Store) Claim(ctx context.Context, id int64, driver int64) error {
	return s.exec(ctx, `UPDATE rides SET driver_id = $2, claimed_at = now() WHERE id = $1 AND driver_id IS NULL`, id, driver) // expect: rowsaffected
}

// Renew extends a leader's term.
func (s *Store) Renew(ctx context.Context, until time.Time) error {
	_, err := s.pool.Exec(ctx, `UPDATE leases SET expires_at = $2 WHERE name = 'scheduler' AND owner = $1`, s.name, until) // expect: rowsaffected
	return err
}

// Take takes over what has run out.
func (s *Store) Take(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE jobs SET locked_by = $2, locked_until = $3 WHERE id = $1 AND (locked_by IS NULL OR locked_until < now())`, id, s.name, time.Now().Add(time.Minute)) // expect: rowsaffected
	return err
}

// Remove deletes a draft.
func (s *Store) Remove(ctx context.Context, id int64) error {
	if _, err := s.pool.Exec(ctx, `DELETE FROM posts WHERE id = $1 AND status = 'draft'`, id); err != nil { // expect: rowsaffected
		return errors.Join(errors.New("remove"), err)
	}
	return nil
}

// Swap is a compare and set.
func (s *Store) Swap(ctx context.Context, key, old, value string) error {
	_, err := s.pool.Exec(ctx, `UPDATE settings SET value = $3 WHERE key = $1 AND value = $2`, key, old, value) // expect: rowsaffected
	return err
}

// Sell is in a batch.
func (s *Store) Sell(ctx context.Context, id int64, n int) error {
	b := &pgx.Batch{}
	b.Queue(`UPDATE stock SET left_over = left_over - $2 WHERE item_id = $1 AND left_over >= $2`, id, n)
	b.Queue(`INSERT INTO sales (item_id, n) VALUES ($1, $2)`, id, n)
	res := s.pool.SendBatch(ctx, b)
	defer res.Close()
	if _, err := res.Exec(); err != nil { // expect: rowsaffected
		return err
	}
	_, err := res.Exec()
	return err
}

// Count reads the number for nobody.
func (s *Store) Count(ctx context.Context, id int64) (int64, error) {
	tag, err := s.pool.Exec(ctx, `UPDATE tickets SET status = 'closed' WHERE id = $1 AND status = 'open'`, id)
	if err != nil {
		return 0, err
	}
	return tag.RowsAffected(), nil
}

// CloseAll drops what Count returns.
func (s *Store) CloseAll(ctx context.Context, ids []int64) error {
	for _, id := range ids {
		if _, err := s.Count(ctx, id); err != nil { // expect: rowsaffected
			return err
		}
	}
	return nil
}

// Spend tests what would be left.
func (s *Store) Spend(ctx context.Context, id, amount int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE wallets SET balance = balance - $2 WHERE user_id = $1 AND balance - $2 >= 0`, id, amount) // expect: rowsaffected
	return err
}

// Invite uses an invitation, and makes a member of whoever has it.
func (s *Store) Invite(ctx context.Context, token string, user int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE invites SET used_at = now() WHERE token = $1 AND used_at IS NULL`, token); err != nil { // expect: rowsaffected
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO members (user_id) VALUES ($1)`, user)
		return err
	})
}

// Book takes a slot that is free.
func (s *Store) Book(ctx context.Context, slot, guest int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE slots SET booked = true, booked_by = $2 WHERE id = $1 AND NOT booked`, slot, guest) // expect: rowsaffected
	return err
}

// Move is fenced by the epoch of a shard.
func (s *Store) Move(ctx context.Context, shard, pos, epoch int64) error {
	_, err := s.pool.Exec(ctx, `UPDATE shards SET pos = $2 WHERE id = $1 AND epoch = $3`, shard, pos, epoch) // expect: rowsaffected
	return err
}
