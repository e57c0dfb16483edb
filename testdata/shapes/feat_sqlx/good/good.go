// Package good uses the features of sqlx as they are right.
package good

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"
)

// Item is a row of items.
type Item struct {
	ID    int64  `db:"id"`
	N     int64  `db:"n"`
	State string `db:"state"`
}

// Tag is a row of tags, which has a column of the same name.
type Tag struct {
	ID int64 `db:"id"`
	N  int64 `db:"n"`
}

var errGone = errors.New("gone")

// Store keeps items.
type Store struct{ db *sqlx.DB }

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	db, err := sqlx.ConnectContext(ctx, "postgres", dsn)
	return &Store{db}, err
}

func (s *Store) inTx(ctx context.Context, fn func(tx *sqlx.Tx) error) error {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Locks of all forms, in a transaction.
func (s *Store) Locks(ctx context.Context, it Item, ids []int64) error {
	return s.inTx(ctx, func(tx *sqlx.Tx) error {
		query, args, err := tx.BindNamed("SELECT * FROM items WHERE id = :id FOR UPDATE", it)
		if err != nil {
			return err
		}
		if err := tx.GetContext(ctx, &it, query, args...); err != nil {
			return err
		}
		query, args, err = sqlx.In("SELECT * FROM items WHERE id IN (?) FOR UPDATE", ids)
		if err != nil {
			return err
		}
		var its []Item
		if err := tx.SelectContext(ctx, &its, tx.Rebind(query), args...); err != nil {
			return err
		}
		for _, x := range its {
			x.N--
			if _, err := tx.NamedExecContext(ctx, "UPDATE items SET n = :n WHERE id = :id", x); err != nil {
				return err
			}
		}
		st, err := tx.PrepareNamedContext(ctx, "SELECT * FROM items WHERE id = :id FOR UPDATE")
		if err != nil {
			return err
		}
		defer st.Close()
		return st.GetContext(ctx, &it, it)
	})
}

// Stmts of the pool run in the transaction.
func (s *Store) Stmts(ctx context.Context, id int64) error {
	lock, err := s.db.PreparexContext(ctx, "SELECT * FROM items WHERE id = $1 FOR UPDATE")
	if err != nil {
		return err
	}
	defer lock.Close()
	set, err := s.db.PrepareNamedContext(ctx, "UPDATE items SET n = :n WHERE id = :id")
	if err != nil {
		return err
	}
	defer set.Close()
	return s.inTx(ctx, func(tx *sqlx.Tx) error {
		var it Item
		if err := tx.StmtxContext(ctx, lock).GetContext(ctx, &it, id); err != nil {
			return err
		}
		it.N--
		_, err := tx.NamedStmtContext(ctx, set).ExecContext(ctx, it)
		return err
	})
}

// Embedded are the structs of two tables, of which the other one is written.
func (s *Store) Embedded(ctx context.Context, id int64) error {
	var row struct {
		Tag
		Item `db:"item"`
	}
	const query = `SELECT t.id, t.n, i.id AS "item.id", i.n AS "item.n" FROM tags t JOIN items i ON i.id = t.item_id WHERE t.id = $1`
	if err := s.db.GetContext(ctx, &row, query, id); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = $1 WHERE id = $2", row.Tag.N, row.Item.ID)
	return err
}

// The value is computed by the database.
func (s *Store) Relative(ctx context.Context, id int64) error {
	var it Item
	if err := s.db.GetContext(ctx, &it, "SELECT * FROM items WHERE id = $1", id); err != nil {
		return err
	}
	query, args, err := sqlx.Named("UPDATE items SET n = n + :n WHERE id = :id", map[string]any{"n": 1, "id": id})
	if err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, s.db.Rebind(query), args...); err != nil {
		return err
	}
	_, err = s.db.NamedExecContext(ctx, "UPDATE items SET state = 'seen' WHERE id = :id", it)
	return err
}

// Looked at.
func (s *Store) RowsAffected(ctx context.Context, it Item) error {
	res, err := s.db.NamedExecContext(ctx, "UPDATE items SET state = 'done' WHERE id = :id AND state = 'new'", it)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errGone)
	}
	return nil
}

// A row that RETURNING gives back.
func (s *Store) Returning(ctx context.Context, it Item) (n int64, err error) {
	rows, err := s.db.NamedQueryContext(ctx, "UPDATE items SET n = n - 1 WHERE id = :id AND n > 0 RETURNING n", it)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if !rows.Next() {
		return 0, errors.Join(rows.Err(), sql.ErrNoRows)
	}
	err = rows.Scan(&n)
	return n, err
}

func lock(ctx context.Context, q sqlx.ExtContext, id int64) (it Item, err error) {
	err = sqlx.GetContext(ctx, q, &it, "SELECT * FROM items WHERE id = $1 FOR UPDATE", id)
	return it, err
}

// ExtContext is a transaction.
func (s *Store) ExtContext(ctx context.Context, id int64) error {
	return s.inTx(ctx, func(tx *sqlx.Tx) error {
		it, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		_, err = sqlx.NamedExecContext(ctx, tx, "UPDATE items SET n = :n WHERE id = :id", Item{ID: id, N: it.N - 1})
		return err
	})
}
