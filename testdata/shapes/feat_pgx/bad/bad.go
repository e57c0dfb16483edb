// Package bad has one function for each feature of pgx v5 that docs/libraries.md
// lists.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Item is a row of items.
type Item struct {
	ID    int64
	N     int64
	State string `db:"state"`
}

var errFew = errors.New("too few")

// Store keeps items.
type Store struct{ pool *pgxpool.Pool }

// Open opens a store.
func Open(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	return &Store{pool}, err
}

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = 0 WHERE id = $1", id)
	return err
}

func (s *Store) set(ctx context.Context, id, n int64) error {
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", n, id)
	return err
}

// QueryRow reads a row.
func (s *Store) QueryRow(ctx context.Context, id int64) error {
	var n int64
	if err := s.pool.QueryRow(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Scan reads columns into variables.
func (s *Store) Scan(ctx context.Context, id int64) error {
	var it Item
	if err := s.pool.QueryRow(ctx, "SELECT id, n, state FROM items WHERE id = $1", id).Scan(&it.ID, &it.N, &it.State); err != nil {
		return err
	}
	return s.set(ctx, it.ID, it.N-1) // expect: lostupdate
}

// Rows reads rows one by one.
func (s *Store) Rows(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n FROM items WHERE state = 'new'")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it Item
		if err := rows.Scan(&it.ID, &it.N); err != nil {
			return err
		}
		if err := s.set(ctx, it.ID, it.N-1); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

// Values reads a row as a slice.
func (s *Store) Values(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n FROM items WHERE state = 'new'")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		v, err := rows.Values()
		if err != nil {
			return err
		}
		if err := s.set(ctx, v[0].(int64), v[1].(int64)-1); err != nil { // missed: lostupdate
			return err
		}
	}
	return rows.Err()
}

// ForEachRow runs a function for each row.
func (s *Store) ForEachRow(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n FROM items WHERE state = 'new'")
	if err != nil {
		return err
	}
	var id, n int64
	_, err = pgx.ForEachRow(rows, []any{&id, &n}, func() error {
		return s.set(ctx, id, n-1) // missed: lostupdate
	})
	return err
}

// CollectOneRow reads a row into a struct.
func (s *Store) CollectOneRow(ctx context.Context, id int64) error {
	rows, err := s.pool.Query(ctx, "SELECT id, n, state FROM items WHERE id = $1", id)
	if err != nil {
		return err
	}
	it, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[Item])
	if err != nil {
		return err
	}
	return s.set(ctx, id, it.N-1) // expect: lostupdate
}

// CollectExactlyOneRow reads a row into a struct by position.
func (s *Store) CollectExactlyOneRow(ctx context.Context, id int64) error {
	rows, _ := s.pool.Query(ctx, "SELECT id, n, state FROM items WHERE id = $1", id)
	it, err := pgx.CollectExactlyOneRow(rows, pgx.RowToAddrOfStructByPos[Item])
	if err != nil {
		return err
	}
	return s.set(ctx, id, it.N-1) // expect: lostupdate
}

// CollectRows reads rows.
func (s *Store) CollectRows(ctx context.Context) error {
	rows, _ := s.pool.Query(ctx, "SELECT id, n, state FROM items WHERE state = 'new' FOR UPDATE") // expect: lockoutsidetx
	its, err := pgx.CollectRows(rows, pgx.RowToStructByNameLax[Item])
	if err != nil {
		return err
	}
	for _, it := range its {
		if err := s.take(ctx, it.ID); err != nil {
			return err
		}
	}
	return nil
}

// RowTo reads one column.
func (s *Store) RowTo(ctx context.Context, id int64) error {
	rows, _ := s.pool.Query(ctx, "SELECT n FROM items WHERE id = $1", id)
	n, err := pgx.CollectOneRow(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	return s.set(ctx, id, n-1) // expect: lostupdate
}

// RowToMap reads a row into a map.
func (s *Store) RowToMap(ctx context.Context, id int64) error {
	rows, _ := s.pool.Query(ctx, "SELECT n FROM items WHERE id = $1", id)
	row, err := pgx.CollectOneRow(rows, pgx.RowToMap)
	if err != nil {
		return err
	}
	return s.set(ctx, id, row["n"].(int64)-1) // expect: lostupdate
}

func scanItem(row pgx.CollectableRow) (it Item, err error) {
	err = row.Scan(&it.ID, &it.N)
	return it, err
}

// OwnFunc reads a row by a function of one's own.
func (s *Store) OwnFunc(ctx context.Context, id int64) error {
	rows, _ := s.pool.Query(ctx, "SELECT id, n FROM items WHERE id = $1", id)
	it, err := pgx.CollectOneRow(rows, scanItem)
	if err != nil {
		return err
	}
	return s.set(ctx, id, it.N-1) // expect: lostupdate
}

// NamedArgs are arguments with names.
func (s *Store) NamedArgs(ctx context.Context, id int64) error {
	var n int64
	if err := s.pool.QueryRow(ctx, "SELECT n FROM items WHERE id = @id", pgx.NamedArgs{"id": id}).Scan(&n); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = @n WHERE id = @id", pgx.NamedArgs{"n": n - 1, "id": id}) // expect: lostupdate
	return err
}

// StrictNamedArgs are the same.
func (s *Store) StrictNamedArgs(ctx context.Context, id int64) error {
	var n int64
	if err := s.pool.QueryRow(ctx, "SELECT n FROM items WHERE id = @id", pgx.StrictNamedArgs{"id": id}).Scan(&n); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = @n WHERE id = @id", pgx.StrictNamedArgs{"n": n - 1, "id": id}) // expect: lostupdate
	return err
}

// QueryMode is an option before the arguments.
func (s *Store) QueryMode(ctx context.Context, id int64) error {
	var n int64
	if err := s.pool.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", pgx.QueryExecModeSimpleProtocol, id).Scan(&n); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", pgx.QueryExecModeExec, n-1, id) // expect: lostupdate
	return err
}

// Batch sends statements together.
func (s *Store) Batch(ctx context.Context, id int64) error {
	b := &pgx.Batch{}
	b.Queue("SET statement_timeout = 0")
	b.Queue("DELETE FROM items WHERE id = $1", id)
	return s.pool.SendBatch(ctx, b).Close() // expect: sessionset
}

// BatchInTx sends them in the middle of a transaction.
func (s *Store) BatchInTx(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
			return err
		}
		b := new(pgx.Batch)
		b.Queue("INSERT INTO tags (item_id) VALUES ($1)", id)
		return s.pool.SendBatch(ctx, b).Close() // expect: poolintx
	})
}

// BatchStale writes what was read.
func (s *Store) BatchStale(ctx context.Context, id int64) error {
	var n int64
	if err := s.pool.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
		return err
	}
	b := &pgx.Batch{}
	b.Queue("UPDATE items SET n = $1 WHERE id = $2", n-1, id)
	return s.pool.SendBatch(ctx, b).Close() // missed: lostupdate
}

// BatchRows reads the results of a batch.
func (s *Store) BatchRows(ctx context.Context, id int64) error {
	b := &pgx.Batch{}
	b.Queue("SELECT n FROM items WHERE id = $1", id)
	br := s.pool.SendBatch(ctx, b)
	var n int64
	if err := br.QueryRow().Scan(&n); err != nil {
		return errors.Join(err, br.Close())
	}
	if err := br.Close(); err != nil {
		return err
	}
	return s.set(ctx, id, n-1) // missed: lostupdate
}

// QueuedQuery has a function for its result.
func (s *Store) QueuedQuery(ctx context.Context, id int64) error {
	var n int64
	b := &pgx.Batch{}
	b.Queue("SELECT n FROM items WHERE id = $1", id).QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
	if err := s.pool.SendBatch(ctx, b).Close(); err != nil {
		return err
	}
	return s.set(ctx, id, n-1) // missed: lostupdate
}

// CopyFrom copies rows.
func (s *Store) CopyFrom(ctx context.Context, id int64, names []string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
			return err
		}
		_, err := s.pool.CopyFrom(ctx, pgx.Identifier{"tags"}, []string{"name"}, pgx.CopyFromSlice(len(names), func(i int) ([]any, error) { return []any{names[i]}, nil })) // expect: poolintx
		return err
	})
}

// Prepare names a statement on a session.
func (s *Store) Prepare(ctx context.Context, id int64) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Conn().Prepare(ctx, "lock", "SELECT n FROM items WHERE id = $1 FOR UPDATE"); err != nil { // also: sessionset
		return err
	}
	var n int64
	if err := conn.QueryRow(ctx, "lock", id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	_, err = conn.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", n-1, id)
	return err
}

// Acquire holds a session and gives it back with its setting.
func (s *Store) Acquire(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "SET statement_timeout = 0"); err != nil { // expect: sessionset
		return err
	}
	_, err = conn.Exec(ctx, "DELETE FROM items WHERE state = 'old'")
	return err
}

// AcquireFunc does so in a function.
func (s *Store) AcquireFunc(ctx context.Context) error {
	return s.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err := conn.Exec(ctx, "SET statement_timeout = 0"); err != nil { // expect: sessionset
			return err
		}
		_, err := conn.Exec(ctx, "DELETE FROM items WHERE state = 'old'")
		return err
	})
}

// BeginFunc runs a function in a transaction.
func (s *Store) BeginFunc(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
			return err
		}
		_, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: poolintx
		return err
	})
}

// Begin begins by hand.
func (s *Store) Begin(ctx context.Context, id int64) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
		return err
	}
	if _, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit(ctx)
}

// Nested is a savepoint.
func (s *Store) Nested(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		return pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
				return err
			}
			_, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: poolintx
			return err
		})
	})
}

// TxOptions are those of BeginTxFunc.
func (s *Store) TxOptions(ctx context.Context, id int64) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error { // expect: unhandled40001
		var n int64
		if err := tx.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", n-1, id)
		return err
	})
}

// BeginQuery is the text of the BEGIN.
func (s *Store) BeginQuery(ctx context.Context, id int64) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{BeginQuery: "BEGIN ISOLATION LEVEL REPEATABLE READ"}, func(tx pgx.Tx) error { // expect: unhandled40001
		var n int64
		if err := tx.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", n-1, id)
		return err
	})
}

// RowsAffected is the count that a guarded write needs.
func (s *Store) RowsAffected(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, "UPDATE items SET state = 'done' WHERE id = $1 AND state = 'new'", id) // expect: rowsaffected
	return err
}

// Count counts rows.
func (s *Store) Count(ctx context.Context, id int64) error {
	var n int
	if err := s.pool.QueryRow(ctx, "SELECT count(*) FROM tags WHERE item_id = $1", id).Scan(&n); err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: lostupdate
	return err
}

// PgConn is the connection below.
func (s *Store) PgConn(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Conn().PgConn().Exec(ctx, "SET statement_timeout = 0").ReadAll() // expect: sessionset
	return err
}

// Stdlib is database/sql over the pool.
func (s *Store) Stdlib(ctx context.Context) error {
	db := stdlib.OpenDBFromPool(s.pool)
	defer db.Close()
	_, err := db.ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Raw is the connection of pgx below database/sql.
func Raw(ctx context.Context, db *sql.DB) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(driver any) error {
		_, err := driver.(*stdlib.Conn).Conn().Exec(ctx, "SET statement_timeout = 0") // expect: sessionset
		return err
	})
}

// A Querier is the interface of the pool and the transaction.
type Querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func lock(ctx context.Context, q Querier, id int64) (n int64, err error) {
	err = q.QueryRow(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n)
	return n, err
}

// Interface gives it to a function.
func (s *Store) Interface(ctx context.Context, id int64) error {
	if _, err := lock(ctx, s.pool, id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// TxConn is the session of a transaction.
func (s *Store) TxConn(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Conn().Exec(ctx, "SET statement_timeout = 0"); err != nil { // expect: sessionset
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id)
		return err
	})
}
