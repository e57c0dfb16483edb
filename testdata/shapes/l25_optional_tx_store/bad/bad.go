package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct {
	pool *pgxpool.Pool
	tx   pgx.Tx
}

func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

func (s *Store) row(ctx context.Context, q string, args ...any) pgx.Row {
	if s.tx != nil {
		return s.tx.QueryRow(ctx, q, args...)
	}
	return s.pool.QueryRow(ctx, q, args...)
}

func (s *Store) exec(ctx context.Context, q string, args ...any) error {
	if s.tx != nil {
		_, err := s.tx.Exec(ctx, q, args...)
		return err
	}
	_, err := s.pool.Exec(ctx, q, args...)
	return err
}

func (s *Store) InTx(ctx context.Context, fn func(*Store) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return fn(&Store{pool: s.pool, tx: tx}) })
}

func (s *Store) LockTank(ctx context.Context, id int64) (level int, err error) {
	err = s.row(ctx, `SELECT level FROM tanks WHERE id = $1 FOR UPDATE`, id).Scan(&level)
	return level, err
}

func Main(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	s := NewStore(pool)
	level, err := s.LockTank(ctx, id) // missed: lockoutsidetx
	if err != nil {
		return err
	}
	return s.exec(ctx, `UPDATE tanks SET level = $2 WHERE id = $1`, id, level-1) // also: lostupdate
}
