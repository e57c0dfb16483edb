// Package bad has one function for each feature of squirrel that
// docs/libraries.md lists.
package bad

import (
	"context"
	"database/sql"
	"errors"

	sq "github.com/Masterminds/squirrel"
	_ "github.com/lib/pq"
)

// Item is a row of items.
type Item struct {
	ID, N int64
	State string
}

var errFew = errors.New("too few")

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

// Store keeps items.
type Store struct {
	db *sql.DB
	sb sq.StatementBuilderType
}

// Open opens a store.
func Open(dsn string) (*Store, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, err
	}
	return &Store{db, psql.RunWith(db)}, nil
}

func (s *Store) take(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, "UPDATE items SET n = 0 WHERE id = $1", id)
	return err
}

// ToSQL gives the text to a handle.
func (s *Store) ToSQL(ctx context.Context, id int64) error {
	query, args, err := psql.Select("n").From("items").Where(sq.Eq{"id": id}).Suffix("FOR UPDATE").ToSql()
	if err != nil {
		return err
	}
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// MustSQL does the same without an error.
func (s *Store) MustSQL(ctx context.Context, id int64) error {
	query, args := psql.Select("n").From("items").Where(sq.Eq{"id": id}).Suffix("FOR UPDATE").MustSql()
	var n int64
	if err := s.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// RunWith runs the statement itself.
func (s *Store) RunWith(ctx context.Context, id int64) error {
	var n int64
	err := psql.Select("n").From("items").Where("id = ?", id).Suffix("FOR UPDATE").RunWith(s.db).QueryRowContext(ctx).Scan(&n) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// Builder has the handle from the beginning.
func (s *Store) Builder(ctx context.Context, id int64) error {
	var n int64
	err := s.sb.Select("n").From("items").Where("id = ?", id).Suffix("FOR UPDATE").ScanContext(ctx, &n) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// ExecWith runs a statement on a handle.
func (s *Store) ExecWith(ctx context.Context, it Item) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := sq.ExecContextWith(ctx, tx, psql.Insert("items").Columns("id").Values(it.ID)); err != nil {
		return err
	}
	if _, err := sq.ExecContextWith(ctx, s.db, psql.Insert("tags").Columns("item_id").Values(it.ID)); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// TxBuilder has the handle of a transaction from the beginning.
func (s *Store) TxBuilder(ctx context.Context, it Item) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	qb := psql.RunWith(tx)
	if _, err := qb.Insert("items").Columns("id").Values(it.ID).ExecContext(ctx); err != nil {
		return err
	}
	if _, err := s.sb.Insert("tags").Columns("item_id").Values(it.ID).ExecContext(ctx); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// StmtCache prepares what it runs.
func (s *Store) StmtCache(ctx context.Context, id int64) error {
	var n int64
	cache := sq.NewStmtCache(s.db)
	err := psql.Select("n").From("items").Where("id = ?", id).Suffix("FOR UPDATE").RunWith(cache).QueryRowContext(ctx).Scan(&n) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// Rows reads rows.
func (s *Store) Rows(ctx context.Context) error {
	rows, err := s.sb.Select("id", "n").From("items").Where(sq.Gt{"n": 0}).QueryContext(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it Item
		if err := rows.Scan(&it.ID, &it.N); err != nil {
			return err
		}
		if _, err := s.sb.Update("items").Set("n", it.N-1).Where(sq.Eq{"id": it.ID}).ExecContext(ctx); err != nil { // expect: lostupdate
			return err
		}
	}
	return rows.Err()
}

func (s *Store) get(ctx context.Context, id int64) (it Item, err error) {
	err = s.sb.Select("id", "n", "state").From("items").Where(sq.Eq{"id": id}).QueryRowContext(ctx).Scan(&it.ID, &it.N, &it.State)
	return it, err
}

// Set writes a column.
func (s *Store) Set(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.sb.Update("items").Set("n", it.N-1).Where(sq.Eq{"id": id}).ExecContext(ctx) // expect: lostupdate
	return err
}

// SetExpr writes an expression with a value.
func (s *Store) SetExpr(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.sb.Update("items").Set("n", sq.Expr("?::bigint", it.N-1)).Where("id = ?", id).ExecContext(ctx) // expect: lostupdate
	return err
}

// SetMap writes columns by their names.
func (s *Store) SetMap(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.sb.Update("items").SetMap(map[string]any{"n": it.N - 1, "state": "taken"}).Where(sq.Eq{"id": id}).ExecContext(ctx) // expect: lostupdate
	return err
}

// Clauses is a map that is filled before.
func (s *Store) Clauses(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	set := sq.Eq{}
	set["n"] = it.N - 1
	_, err = s.sb.Update("items").SetMap(set).Where(sq.Eq{"id": id}).ExecContext(ctx) // expect: lostupdate
	return err
}

// Spread is a statement that is made over several statements of Go.
func (s *Store) Spread(ctx context.Context, id int64, state string) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	q := psql.Update("items").Set("n", it.N-1)
	if state != "" {
		q = q.Set("state", state)
	}
	q = q.Where(sq.Eq{"id": id})
	query, args, err := q.ToSql()
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, query, args...) // missed: lostupdate
	return err
}

func byID(q sq.SelectBuilder, id int64) sq.SelectBuilder { return q.Where(sq.Eq{"id": id}) }

func locked(q sq.SelectBuilder) sq.SelectBuilder { return q.Suffix("FOR NO KEY UPDATE") }

// Helper gives the builder to functions.
func (s *Store) Helper(ctx context.Context, id int64) error {
	var n int64
	if err := locked(byID(s.sb.Select("n").From("items"), id)).ScanContext(ctx, &n); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// And has conditions in a list.
func (s *Store) And(ctx context.Context, id int64) error {
	_, err := s.sb.Update("items").Set("state", "done").Where(sq.And{sq.Eq{"id": id}, sq.Eq{"state": "new"}}).ExecContext(ctx) // expect: rowsaffected
	return err
}

// GtOrEq is a comparison in a map.
func (s *Store) GtOrEq(ctx context.Context, id, n int64) error {
	_, err := s.sb.Update("items").Set("n", sq.Expr("n - ?", n)).Where(sq.Eq{"id": id}).Where(sq.GtOrEq{"n": n}).ExecContext(ctx) // expect: rowsaffected
	return err
}

// WhereExpr is an expression as a condition.
func (s *Store) WhereExpr(ctx context.Context, id, n int64) error {
	_, err := s.sb.Update("items").Set("n", sq.Expr("n - ?", n)).Where(sq.Eq{"id": id}).Where(sq.Expr("n >= ?", n)).ExecContext(ctx) // expect: rowsaffected
	return err
}

// Or is a condition beside others.
func (s *Store) Or(ctx context.Context, id int64) error {
	var n int64
	err := s.sb.Select("n").From("items").Where(sq.Eq{"id": id}).Where(sq.Or{sq.Eq{"state": "new"}, sq.Eq{"state": "old"}}).Suffix("FOR UPDATE").ScanContext(ctx, &n) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// OrStale is a condition of the read of a lost update.
func (s *Store) OrStale(ctx context.Context, id int64) error {
	var n int64
	err := s.sb.Select("n").From("items").Where(sq.And{sq.Eq{"id": id}, sq.Or{sq.Eq{"state": "new"}, sq.Eq{"state": "old"}}}).ScanContext(ctx, &n)
	if err != nil {
		return err
	}
	_, err = s.sb.Update("items").Set("n", n-1).Where(sq.Eq{"id": id}).ExecContext(ctx) // expect: lostupdate
	return err
}

// Case is an expression of the written column.
func (s *Store) Case(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.sb.Update("items").Set("n", sq.Case().When("state = 'new'", sq.Expr("?", it.N-1)).Else("0")).Where(sq.Eq{"id": id}).ExecContext(ctx) // missed: lostupdate
	return err
}

// Subquery is a builder as a condition.
func (s *Store) Subquery(ctx context.Context) error {
	var id int64
	first := sq.Select("item_id").From("tags").Where(sq.Eq{"name": "first"})
	if err := s.sb.Select("id").From("items").Where(sq.Expr("id IN (?)", first)).Suffix("FOR UPDATE").ScanContext(ctx, &id); err != nil { // expect: lockoutsidetx
		return err
	}
	return s.take(ctx, id)
}

// Columns names columns apart.
func (s *Store) Columns(ctx context.Context, id int64) error {
	var it Item
	err := s.sb.Select().Columns("id", "n").From("items").Where(sq.Eq{"id": id}).ScanContext(ctx, &it.ID, &it.N)
	if err != nil {
		return err
	}
	_, err = s.sb.Update("items").Set("n", it.N-1).Where(sq.Eq{"id": id}).ExecContext(ctx) // expect: lostupdate
	return err
}

// Column adds an expression.
func (s *Store) Column(ctx context.Context, id int64) error {
	var it Item
	err := s.sb.Select("id").Column("n").Column(sq.Expr("now()")).From("items").Where(sq.Eq{"id": id}).ScanContext(ctx, &it.ID, &it.N, new(any))
	if err != nil {
		return err
	}
	_, err = s.sb.Update("items").Set("n", it.N-1).Where(sq.Eq{"id": id}).ExecContext(ctx) // expect: lostupdate
	return err
}

// Join reads two tables.
func (s *Store) Join(ctx context.Context, id int64) error {
	var n int64
	err := s.sb.Select("i.n").From("items i").Join("tags t ON t.item_id = i.id").Where(sq.Eq{"i.id": id}).Suffix("FOR UPDATE OF i").ScanContext(ctx, &n) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// JoinClause is a join with any text.
func (s *Store) JoinClause(ctx context.Context, id int64) error {
	var n int64
	err := s.sb.Select("i.n").From("items i").JoinClause("CROSS JOIN LATERAL (SELECT 1) x").Where("i.id = ?", id).Suffix("FOR UPDATE OF i").ScanContext(ctx, &n) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// SuffixExpr is a suffix that is an expression.
func (s *Store) SuffixExpr(ctx context.Context, id int64) error {
	var n int64
	err := s.sb.Select("n").From("items").Where(sq.Eq{"id": id}).SuffixExpr(sq.Expr("FOR UPDATE")).ScanContext(ctx, &n) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// Prefix is a common table expression.
func (s *Store) Prefix(ctx context.Context) error {
	var id int64
	err := s.sb.Select("id").Prefix("WITH f AS (SELECT item_id FROM tags WHERE name = ?)", "first").From("items").Where("id IN (SELECT item_id FROM f)").Suffix("FOR UPDATE").ScanContext(ctx, &id) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.take(ctx, id)
}

// Returning looks at a row of a write.
func (s *Store) Returning(ctx context.Context, id int64) error {
	it, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	return s.sb.Update("items").Set("n", it.N-1).Where(sq.Eq{"id": id}).Suffix("RETURNING n").ScanContext(ctx, &it.N) // expect: lostupdate
}

// Values inserts a row.
func (s *Store) Values(ctx context.Context, id int64) error {
	var n int
	if err := s.sb.Select("count(*)").From("tags").Where(sq.Eq{"item_id": id}).ScanContext(ctx, &n); err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err := s.sb.Insert("tags").Columns("item_id", "name").Values(id, "new").ExecContext(ctx) // expect: lostupdate
	return err
}

// InsertMap inserts a map.
func (s *Store) InsertMap(ctx context.Context, id int64) error {
	var n int
	if err := s.sb.Select("count(*)").From("tags").Where(sq.Eq{"item_id": id}).ScanContext(ctx, &n); err != nil {
		return err
	}
	if n >= 3 {
		return errFew
	}
	_, err := s.sb.Insert("tags").SetMap(sq.Eq{"item_id": id, "name": "new"}).ExecContext(ctx) // expect: lostupdate
	return err
}

// Delete deletes rows.
func (s *Store) Delete(ctx context.Context, id int64) error {
	_, err := s.sb.Delete("items").Where(sq.Eq{"id": id, "state": "new"}).ExecContext(ctx) // expect: rowsaffected
	return err
}
