package bad

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"strings"
)

type Filter struct {
	Region string
	Max    int
}

func (f Filter) sql() (string, []any) {
	var b strings.Builder
	args := []any{}
	b.WriteString("SELECT id FROM parcels WHERE state = 'ready'")
	if f.Region != "" {
		args = append(args, f.Region)
		fmt.Fprintf(&b, " AND region = $%d", len(args))
	}
	if f.Max > 0 {
		args = append(args, f.Max)
		fmt.Fprintf(&b, " LIMIT $%d", len(args))
	}
	b.WriteString(" FOR UPDATE SKIP LOCKED")
	return b.String(), args
}

func Dispatch(ctx context.Context, pool *pgxpool.Pool, f Filter) (int, error) {
	q, args := f.sql()
	rows, err := pool.Query(ctx, q, args...) // expect: lockoutsidetx
	if err != nil {
		return 0, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return 0, err
	}
	tag, err := pool.Exec(ctx, `UPDATE parcels SET state = 'out' WHERE id = ANY($1)`, ids) // also: lostupdate
	return int(tag.RowsAffected()), err
}
